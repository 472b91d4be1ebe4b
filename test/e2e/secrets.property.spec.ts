import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  httpError,
  RawReplyServer,
  reply,
  ScriptedWebhookServer,
  text,
  toolCall,
} from '#lib/activities/testing';
import { temporaryFolder } from '#lib/kernel/testing';
import type { EventLog, Position } from '#lib/event-store';
import { RedialServer } from '../support/redial-server.js';

/** One in each place where a process is configured with one. */
const SECRETS = {
  key: 'canary-key-of-default-01',
  providerKey: 'canary-provider-key-0123',
  providerHeader: 'canary-provider-header-1',
  providerQuery: 'canary-provider-query-01',
  hookToken: 'canary-hook-token-012345',
  mcpHeader: 'canary-mcp-header-012345',
  mcpEnv: 'canary-mcp-env-0123456789',
  mcpQuery: 'canary-mcp-query-0123456',
  otlpHeader: 'canary-otlp-header-01234',
  pgPassword: 'canary-pg-password-01234',
  apiToken: 'canary-api-token-0123456',
  actorToken: 'canary-actor-token-01234',
  actorTokenSecret: 'canary-actor-secret-0123',
  given: 'canary-given-secret-01234',
};
const WAYS: Readonly<Record<string, (secret: string) => string>> = {
  plain: (secret) => secret,
  base64: (secret) => Buffer.from(`a:${secret}`).toString('base64'),
  hex: (secret) => Buffer.from(secret).toString('hex'),
  percent: (secret) => secret.replaceAll('-', '%2D'),
  json: (secret) => JSON.stringify(JSON.stringify({ secret })),
};

const bearer = { Authorization: `Bearer ${SECRETS.apiToken}` };
const json = (body: object) => {
  const content = JSON.stringify(body);
  const head = `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(content)}\r\n\r\n`;
  return { parts: [head + content], end: 'open' } as const;
};
const accepted = { parts: ['HTTP/1.1 202 Accepted\r\nContent-Length: 0\r\n\r\n'], end: 'open' } as const;

describe('0.2-S4: a secret that the process is configured with', () => {
  const logged: string[] = [];
  const write = process.stderr.write.bind(process.stderr);
  let server: RedialServer;
  let webhook: ScriptedWebhookServer;
  let mcp: RawReplyServer;
  let echoed = '';
  let mcpFails = false;
  let folder = '';

  beforeAll(async () => {
    process.stderr.write = (chunk: string) =>
      chunk.includes('[Nest]') ? logged.push(chunk) > 0 : write(chunk);
    webhook = await ScriptedWebhookServer.start(() => reply({ body: JSON.stringify({ echoed }) }));
    mcp = await RawReplyServer.start((body) => {
      const { method, id } = JSON.parse(body === '' ? '{}' : body) as { method?: string; id?: number };
      if (id === undefined) return accepted;
      const greeting = {
        protocolVersion: '2025-03-26',
        capabilities: {},
        serverInfo: { name: 's', version: '1' },
      };
      const content = { isError: mcpFails, content: [{ type: 'text', text: echoed }] };
      return json({ jsonrpc: '2.0', id, result: method === 'initialize' ? greeting : content });
    });
    const place = { dataDir: temporaryFolder() };
    server = await RedialServer.start({
      place,
      environment: {
        LOG_LEVEL: 'log',
        OPENAI_API_KEY: SECRETS.key,
        REDIAL_API_TOKEN: SECRETS.apiToken,
        REDIAL_ACTOR_TOKEN: SECRETS.actorToken,
        SHOP_HOOK_TOKEN: SECRETS.hookToken,
        OTEL_EXPORTER_OTLP_HEADERS: `tenant=a,authorization=Bearer%20${SECRETS.otlpHeader}`,
        PGPASSWORD: SECRETS.pgPassword,
        OTHER_KEY: SECRETS.providerKey,
      },
      options: {
        webhooks: { privateAddresses: 'allow' },
        providers: {
          other: {
            baseUrl: 'https://models.example/v1',
            apiKeyEnv: 'OTHER_KEY',
            headers: { 'x-tenant-key': SECRETS.providerHeader },
            query: { sig: SECRETS.providerQuery },
          },
        },
        mcpServers: {
          shop: {
            url: `${mcp.url}/mcp?key=${SECRETS.mcpQuery}`,
            headers: { 'x-key': `Token ${SECRETS.mcpHeader}` },
          },
          local: { command: 'no-such-command', env: { SHOP_TOKEN: SECRETS.mcpEnv } },
        },
        functions: { echo: () => ({ echoed }) },
        actorTokenSecret: SECRETS.actorTokenSecret,
        secrets: [SECRETS.given],
      },
    });
    folder = place.dataDir;
    const executions = {
      hook: { webhookUrl: webhook.url, webhookTokenName: 'SHOP_HOOK_TOKEN' },
      mcp: { mcpServer: 'shop', tool: 'x' },
      fn: { fnName: 'echo' },
    };
    for (const [toolId, execution] of Object.entries(executions)) {
      const tool = { toolId, description: 'd', parameters: { type: 'object' }, execution };
      expect((await server.post('/v1/tools', tool, bearer)).status).toBe(201);
    }
  });
  afterAll(async () => {
    process.stderr.write = write;
    await server.stop();
    await webhook.close();
    await mcp.close();
  });

  const run = async (tools: readonly string[]) => {
    const input = { systemPrompt: 's', userPrompt: 'u', model: 'm', tools };
    return (await server.post('/v1/runs', { workflow: 'planner', input, waitMs: 20_000 }, bearer)).text;
  };
  const viaTool = (toolId: string) => async () => {
    server.llm.enqueue(toolCall(toolId, {}), text('Done.'));
    return run([toolId]);
  };
  const PARTIES: Readonly<Record<string, () => Promise<string>>> = {
    'a webhook': viaTool('hook'),
    'an MCP server': viaTool('mcp'),
    'an MCP server in an error': async () => {
      mcpFails = true;
      return viaTool('mcp')().finally(() => (mcpFails = false));
    },
    'a function': viaTool('fn'),
    'a model': async () => {
      server.llm.enqueue(text(echoed));
      return run(['fn']);
    },
    'a model in arguments': async () => {
      server.llm.enqueue(toolCall('fn', { key: echoed }), text('Done.'));
      return run(['fn']);
    },
    'a model in an error': async () => {
      server.llm.enqueue(httpError(401, { error: { message: echoed } }));
      return run(['fn']);
    },
  };

  const leaksIn = (shown: string): readonly string[] =>
    Object.entries(SECRETS).flatMap(([name, secret]) => {
      const base64 = Buffer.from(`a:${secret}`).toString('base64').slice(4, 24);
      const hex = Buffer.from(secret).toString('hex');
      const forms = [secret, base64, hex, secret.replaceAll('-', '%2D')];
      return forms.some((form) => shown.includes(form)) ? [name] : [];
    });

  it('is in no answer, event, row, request to a model, or line of the log, whoever echoes it and however', async () => {
    const answers: string[] = [];
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...Object.values(SECRETS)),
        fc.constantFrom(...Object.values(WAYS)),
        fc.constantFrom(...Object.values(PARTIES)),
        async (secret, way, party) => {
          echoed = `<${way(secret)}>`;
          answers.push(await party());
          expect(leaksIn(answers.at(-1) ?? '')).toEqual([]);
          expect(leaksIn(server.llm.requests.at(-1)?.text ?? '')).toEqual([]);
        },
      ),
      { numRuns: 25 },
    );
    for (const path of ['/v1/llm-calls', '/v1/runs', '/v1/tools', '/v1/providers', '/v1/models', '/metrics'])
      answers.push((await server.get(path, bearer)).text);
    for await (const event of eventsOf(server.log)) answers.push(JSON.stringify(event));
    const files =
      folder === '' ? [] : readdirSync(folder).map((name) => readFileSync(join(folder, name), 'latin1'));
    expect(leaksIn([...answers, ...files, ...logged].join('\n'))).toEqual([]);
    expect(answers.join('\n')).toContain('[REDACTED]');
  }, 120_000);
});

async function* eventsOf({ store }: EventLog) {
  for (let from = undefined as Position | undefined, isMore = true; isMore;) {
    const events = await store.readAll({ limit: 100, ...(from !== undefined && { from }) });
    yield* events;
    isMore = events.length === 100;
    from = events.at(-1)?.position;
  }
}
