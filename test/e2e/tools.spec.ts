import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Injectable, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { IsInt, IsString } from 'class-validator';
import { temporaryFolder } from '#lib/kernel/testing';
import { FlowFunction } from '#lib/flows';
import { Redial, RedialModule } from '#lib/engine';
import { RedialTool } from '#lib/runs/tools';
import { RedialServer } from '../support/redial-server.js';

const lookup = {
  toolId: 'order_lookup',
  description: 'Finds an order',
  parameters: { type: 'object', properties: { order: { type: 'integer' } }, required: ['order'] },
  execution: { fnName: 'lookup' },
};

describe('tools over HTTP', () => {
  let server: RedialServer;
  beforeAll(async () => {
    server = await RedialServer.start();
  });
  afterAll(() => server.stop());
  const register = (changes: object = {}, headers = {}) =>
    server.post('/v1/tools', { ...lookup, ...changes }, headers);

  it('are registered once, and in their next version when they have changed', async () => {
    const first = await register();
    expect([first.status, first.body]).toEqual([
      201,
      { ...lookup, version: 1, policy: {}, createdAt: expect.any(String) },
    ]);
    const same = await register();
    expect([same.status, same.body.version]).toEqual([200, 1]);
    const changed = await register({ policy: { needsApproval: true } }, { 'Idempotency-Key': 'v2' });
    expect([changed.status, changed.body.version]).toEqual([201, 2]);
    const repeated = await register({ policy: { needsApproval: true } }, { 'Idempotency-Key': 'v2' });
    expect([repeated.status, repeated.body]).toEqual([201, changed.body]);
    expect((await server.get('/v1/tools/order_lookup')).body.version).toBe(2);
    expect((await server.get('/v1/tools/order_lookup?version=1')).body.policy).toEqual({});
    const versions = await server.get('/v1/tools/order_lookup/versions');
    expect(versions.body.items.map(({ version }: { version: number }) => version)).toEqual([2, 1]);
    const { body } = await server.get('/v1/tools');
    expect(
      body.items.map(({ toolId, version }: { toolId: string; version: number }) => [toolId, version]),
    ).toEqual([['order_lookup', 2]]);
  });

  it.each([
    ['an id with a dot', { toolId: 'a.b' }, 400, '/toolId'],
    ['two executions', { execution: { fnName: 'a', webhookUrl: 'https://a.example' } }, 400, '/execution'],
    ['a policy that it does not have', { policy: { safe: true } }, 400, '/policy/safe'],
    [
      'approvals by nobody',
      { policy: { needsApproval: { approvals: 0 } } },
      400,
      '/policy/needsApproval/approvals',
    ],
    ['parameters that are no object', { parameters: { type: 'string' } }, 422, '/parameters/type'],
    [
      'a schema that cannot be checked',
      { parameters: { type: 'object', properties: 7 } },
      422,
      '/parameters/properties',
    ],
    [
      'credentials in the address',
      { execution: { webhookUrl: 'https://a:b@c.example' } },
      422,
      '/execution/webhookUrl',
    ],
    [
      '0.2-O1: a variable that is not a token of webhooks',
      { execution: { webhookUrl: 'https://c.example', webhookTokenName: 'OPENAI_API_KEY' } },
      422,
      '/execution/webhookTokenName',
    ],
  ])('refuse %s', async (_, changes, status, path) => {
    const { status: got, body } = await register(changes);
    expect([got, body.errors.map((error: { path: string }) => error.path)]).toEqual([
      status,
      expect.arrayContaining([path]),
    ]);
  });

  it('that nobody registered are unknown', async () => {
    expect((await server.get('/v1/tools/none')).body.code).toBe('unknown-tool');
    expect((await server.get('/v1/tools/none/versions')).body.code).toBe('unknown-tool');
    expect((await server.get('/v1/tools/a.b')).status).toBe(404);
  });
});

class Order {
  @IsInt()
  order!: number;

  @IsString()
  shop!: string;
}

@Injectable()
class Shop {
  @RedialTool({
    toolId: 'find_order',
    description: 'Finds an order',
    parameters: Order,
    policy: { readOnly: true },
  })
  find({ order }: Order) {
    return { order };
  }

  @FlowFunction('greet')
  greet({ session }: { session: { currentFlow: string | null } }) {
    return { reply: `Welcome to ${session.currentFlow ?? 'the shop'}.` };
  }
}

class OtherShop extends Shop {}

describe('a method with @RedialTool', () => {
  it('is refused when the class of its parameters declares none: no call with arguments would fit', () => {
    class Undecorated {
      order = 0;
    }
    const decorate = RedialTool({ toolId: 'find_order', description: 'x', parameters: Undecorated });
    expect(() => decorate(Shop.prototype, 'find', {})).toThrow(
      /^\[UndeclaredArguments\] tool find_order: .* Add decorators such as @IsInt\(\)/,
    );
  });

  it('is registered when the application starts, with the schema of its class, once', async () => {
    const dataDir = temporaryFolder();
    @Module({ imports: [RedialModule.forRoot({ dataDir })], providers: [Shop] })
    class App {}
    for (const round of [1, 2]) {
      const app = await NestFactory.createApplicationContext(App, { logger: false });
      const tool = await app.get(Redial).getTool({ toolId: 'find_order' });
      expect([round, tool]).toMatchObject([
        round,
        {
          version: 1,
          parameters: {
            type: 'object',
            properties: { order: { type: 'integer' }, shop: { type: 'string' } },
            required: ['order', 'shop'],
            additionalProperties: false,
          },
          execution: { fnName: 'find_order' },
          policy: { readOnly: true },
        },
      ]);
      await app.close();
    }
  });
});

describe('a method with @FlowFunction', () => {
  it('is a function that agents name; a name that is taken ends the start', async () => {
    const appOf = (...providers: (typeof Shop)[]) => {
      // The model gets no request: the function replies in its place.
      const llm = { apiKey: 'sk-none', baseUrl: 'http://127.0.0.1:9/v1' };
      @Module({ imports: [RedialModule.forRoot({ storage: 'memory', llm })], providers })
      class App {}
      return NestFactory.createApplicationContext(App, { logger: false, abortOnError: false });
    };
    const app = await appOf(Shop);
    const redial = app.get(Redial);
    const agentName = 'keeper';
    const hooks = { onEnter: { fn: 'greet' } };
    const flows = [{ title: 'Talk', steps: [{ prompt: 'Talk' }] }];
    await redial.defineAgent({ agentName, model: 'gpt-4o-mini', hooks, flows });
    const { conversationId } = await redial.startConversation({ agentName });
    const turn = await redial.sendMessage({ conversationId, text: 'Hello' });
    expect(turn).toMatchObject({ message: 'Welcome to the shop.', stoppedReason: 'reply', llmCalls: [] });
    await app.close();
    await expect(appOf(Shop, OtherShop)).rejects.toThrow('[DuplicateFunction] function "greet"');
  });
});
