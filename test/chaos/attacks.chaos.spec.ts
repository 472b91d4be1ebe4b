import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { temporaryFolder } from '#lib/kernel/testing';
import { RawReplyServer, reply, ScriptedLlmServer, ScriptedWebhookServer } from '#lib/activities/testing';
import { clerk, refunds } from '../support/refunds.js';
import { ServerProcess } from '../support/server-process.js';
import { ATTACKS, FLOOD, replyTo, SESSIONS } from './attacks.js';
import { HttpCaller } from './http-caller.js';
import { longestAnswerDuring, peakKb } from './liveness-probe.js';

const LONGEST_ANSWER_MS = 2_000;
const MOST_RESIDENT_KB = 1024 * 1024;

const switching = 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n';

describe('0.2-S1, 0.2-S2, 0.2-S3, 0.2-S5, 0.2-S8: a server with a heap of 512 MB', () => {
  let environment: Record<string, string>;
  let llm: ScriptedLlmServer;
  let raw: RawReplyServer;
  let webhook: ScriptedWebhookServer;
  let server: ServerProcess;
  const sessionIds: string[] = [];

  beforeAll(async () => {
    llm = await ScriptedLlmServer.start(replyTo);
    raw = await RawReplyServer.start(() => ({ parts: [switching], end: 'open' }));
    webhook = await ScriptedWebhookServer.start(() => reply({ body: '{"success":true,"data":1}' }));
    const dataDir = temporaryFolder();
    environment = {
      REDIAL_DATA_DIR: dataDir,
      NODE_OPTIONS: '--max-old-space-size=512',
      OPENAI_API_KEY: 'sk-canary',
      OPENAI_BASE_URL: llm.baseUrl,
      REDIAL_PROVIDERS: written(dataDir, 'providers.json', { raw: { baseUrl: `${raw.url}/v1` } }),
      REDIAL_MCP_SERVERS: written(dataDir, 'mcp.json', {
        mcpServers: { flood: { command: process.execPath, args: ['-e', FLOOD] } },
      }),
      REDIAL_WEBHOOK_PRIVATE_ADDRESSES: 'allow',
    };
    server = await ServerProcess.start(environment);
    await define(new HttpCaller(server.url));
  });

  function written(folder: string, name: string, content: object): string {
    const path = join(folder, name);
    writeFileSync(path, JSON.stringify(content));
    return path;
  }

  async function define(caller: HttpCaller): Promise<void> {
    const items = { type: 'array', uniqueItems: true, items: { type: 'number' } };
    const pick = {
      parameters: { type: 'object', properties: { items } },
      execution: { webhookUrl: webhook.url },
    };
    const flood = { parameters: { type: 'object' }, execution: { mcpServer: 'flood', tool: 'x' } };
    await caller.post('/v1/tools', { toolId: 'pick', description: 'Picks', ...pick });
    await caller.post('/v1/tools', { toolId: 'flood', description: 'Floods', ...flood });
    await caller.post('/v1/machines', refunds);
    await caller.post('/v1/specialists', clerk);
    for (let n = 0; n < SESSIONS; n++) {
      const { body: session } = await caller.post('/v1/sessions', { machineName: 'refunds' });
      const sessionId = String(session['sessionId']);
      const proposed = await caller.post(`/v1/sessions/${sessionId}/proposals`, { specialistId: 'clerk' });
      expect(proposed.status).toBe(201);
      sessionIds.push(sessionId);
    }
  }

  afterAll(async () => {
    await server.kill();
    await Promise.all([llm.close(), raw.close(), webhook.close()]);
  });

  it.each(ATTACKS)(
    'answers within 2 s and stays under 1 GiB during this attack: %s',
    async (name, attack) => {
      const longest = await longestAnswerDuring(server, () => attack({ url: server.url, sessionIds }));
      expect(longest).toBeLessThan(LONGEST_ANSWER_MS);
      expect(peakKb(server.pid)).toBeLessThan(MOST_RESIDENT_KB);
    },
  );

  it('restarts into service after all of them', async () => {
    expect(await server.stop()).toBe(0);
    server = await ServerProcess.start(environment);
    const caller = new HttpCaller(server.url);
    expect((await caller.get('/health/ready')).status).toBe(200);
    expect((await caller.get(`/v1/sessions/${sessionIds[0]}`)).status).toBe(200);
  });
});
