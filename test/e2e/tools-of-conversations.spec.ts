import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { ToolFnCall } from '#lib/activities';
import { completion, type LlmScript, reply, ScriptedWebhookServer, text } from '#lib/activities/testing';
import type { Json } from '#lib/kernel';
import { startEngine, type TestEngine } from '../support/engine.js';

const asks = (...names: readonly string[]) =>
  completion(
    {
      role: 'assistant',
      content: null,
      tool_calls: names.map((name, index) => ({
        id: `p${index}`,
        type: 'function',
        function: { name, arguments: '{"order":7}' },
      })),
    },
    'tool_calls',
  );

const known = {
  data: { name: 'Ada' },
  context: { tier: 'gold', shop: 'a text that is long enough to be recorded by reference, once' },
  history: [
    { role: 'user', content: 'Hello, is anybody there who can tell me about my orders of this year?' },
    { role: 'assistant', content: 'Good day. I can look an order up: tell me its number, and I will.' },
  ],
};

/** The second answer asks for three tools. */
function script(): LlmScript {
  const answers = [
    text({ message: known.history[1]?.content }),
    asks('local', 'told', 'plain'),
    text({ message: 'Found.' }),
  ];
  return ({ body }) => {
    const { response_format: format } = body as { response_format?: { json_schema: { name: string } } };
    if (format?.json_schema.name !== 'respond') return text({});
    const next = answers.shift();
    if (!next) throw new Error('The script has no further answer.');
    return next;
  };
}

describe('a tool of a conversation', () => {
  let engine: TestEngine;
  let hook: ScriptedWebhookServer;
  const calls: (readonly [Json, ToolFnCall | undefined])[] = [];
  beforeEach(async () => {
    calls.length = 0;
    hook = await ScriptedWebhookServer.start(() => reply({ body: '{"found":true}' }));
    const local = (input: Json, call?: ToolFnCall) => {
      calls.push([input, call]);
      return { found: true };
    };
    engine = await startEngine(script(), { functions: { local }, webhooks: { privateAddresses: 'allow' } });
  });
  afterEach(async () => {
    await engine.stop();
    await hook.close();
  });

  async function talk() {
    const { redial } = engine;
    const tool = { description: 'Finds an order', parameters: { type: 'object' } };
    const execution = { webhookUrl: hook.url };
    await redial.registerTool({ toolId: 'local', ...tool, execution: { fnName: 'local' } });
    await redial.registerTool({ toolId: 'told', ...tool, execution, sends: ['data', 'conversationId'] });
    await redial.registerTool({ toolId: 'plain', ...tool, execution });
    await redial.defineAgent({
      agentName: 'clerk',
      model: 'gpt-4o-mini',
      schema: { type: 'object', properties: { name: { type: 'string' } } },
      initialData: known.data,
      tools: ['local', 'told', 'plain'],
      flows: [{ id: 'orders', title: 'Orders', steps: [{ id: 'find', prompt: 'Find the order' }] }],
    });
    const { conversationId } = await redial.startConversation({ agentName: 'clerk', context: known.context });
    for (const said of [known.history[0]?.content ?? '', 'Order 7'])
      await redial.sendMessage({ conversationId, text: said });
    return conversationId;
  }

  it('0.2-V12: gets data, context, history and id: a function all, a webhook what `sends` names', async () => {
    const conversationId = await talk();
    const call = { toolId: 'local', callId: expect.any(String), runId: expect.any(String) };
    expect(calls).toEqual([[{ order: 7 }, { ...call, ...known, conversationId }]]);
    const bodies = hook.requests.map(({ body }) => body);
    const sent = { callId: expect.any(String), arguments: { order: 7 }, runId: expect.any(String) };
    expect(bodies).toEqual([
      { ...sent, toolId: 'told', data: known.data, conversationId },
      { ...sent, toolId: 'plain' },
    ]);
  });

  it('0.2-V12: replays identically, and the log holds the parts of the conversation once', async () => {
    const conversationId = await talk();
    expect(await engine.redial.replayConversation({ conversationId })).toMatchObject({
      identical: true,
      open: 0,
    });
    const events = await engine.log.store.readAll({ limit: 1_000 });
    const asked = events.filter(({ type }) => type === 'ToolCallRequested');
    const requests = asked.map(({ data }) => JSON.parse(data) as object);
    expect(requests).toMatchObject([
      {
        toolId: 'local',
        conversationFrom: [
          { value: known.data, as: 'data' },
          { context: '/context', as: 'context' },
          { context: '/history', as: 'history' },
          { value: conversationId, as: 'conversationId' },
        ],
      },
      { toolId: 'told', conversation: { data: known.data, conversationId } },
      { toolId: 'plain' },
    ]);
    expect(requests[2]).not.toHaveProperty('conversation');
  });

  it('0.2-V12: is refused if it sends something else, or is no webhook', async () => {
    const tool = { toolId: 'odd', description: 'd', parameters: { type: 'object' } };
    const refusal = (more: object) =>
      engine.redial.registerTool({ ...tool, ...more } as never).catch((error: Error) => error.message);
    const webhook = { webhookUrl: hook.url };
    expect(await refusal({ execution: webhook, sends: ['secrets'] })).toMatch(/sends/);
    expect(await refusal({ execution: { fnName: 'local' }, sends: ['data'] })).toMatch(
      /sends is for webhooks/,
    );
  });
});
