import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  assistantMessage,
  bodyOf,
  emptyLlmMemory,
  evolveLlmMemory,
  type LlmCallCompleted,
  type LlmCallEvent,
  type LlmCallInput,
  type LlmCallRequested,
  resultText,
} from '#lib/call-rules';
import { type ActivityEvent, type Rules, systemTime, verifyRun, type Workflow } from '#lib/workflow';
import { type Event, isJsonObject, type Json, jsonText, type RecordedEvent } from '#lib/kernel';
import { RuntimeSetting } from '#lib/workflow/testing';
import { ArbiterFunctions } from '#lib/decisions/arbitration';
import { functionActivity, llmActivity, LlmProviders, Redactor } from '#lib/activities';
import { ProposerFunctions } from '../functions/proposer-functions.js';
import { registeredFunctions } from '../functions/registered-functions.js';
import { droppedConnection, noAnswer, ScriptedLlmServer, text, toolCall } from '#lib/activities/testing';

interface Chat {
  readonly url: string;
  readonly round: number;
  readonly messages: readonly Json[];
  readonly tool?: { readonly id: string; readonly input: Json };
  readonly end?: Json;
}

const system = `You look orders up. Call the tool once for each order, then answer in one sentence. ${'Be brief. '.repeat(5)}`;
const tools: Json = [
  {
    type: 'function',
    function: { name: 'order', description: 'Looks an order up', parameters: { type: 'object' } },
  },
];

/** Calls a model until it answers with text; its tool calls go to a function. */
const rules: Rules<Chat> = {
  input: { type: 'object' },
  initialState: ({ data }) => ({
    url: (data.input as { url: string }).url,
    round: 1,
    messages: [
      { role: 'system', content: system },
      { role: 'user', content: 'Orders 1 and 2?' },
    ],
  }),
  evolve: (state, event) => {
    const { type, data }: Event = event;
    if (type === 'LlmCallCompleted') return replied(state, data as LlmCallCompleted['data']);
    if (type === 'LlmCallFailed') return { ...state, end: (data as { failure: Json }).failure };
    if (type !== 'FunctionCallCompleted') return state;
    const { tool, ...rest } = state;
    const content = resultText((data as { result: Json }).result);
    const messages = [...state.messages, { role: 'tool', tool_call_id: tool?.id ?? '', content }];
    return { ...rest, messages, round: state.round + 1 };
  },
  next: ({ url, round, messages, tool, end }) => {
    if (end !== undefined) return [{ do: 'end', result: end }];
    if (tool) {
      return [
        {
          do: 'call',
          id: `tool${round}#1`,
          activity: 'function',
          input: { fnName: 'order', input: tool.input },
        },
      ];
    }
    const body = { model: 'gpt-x', messages, tools };
    const input: LlmCallInput = { url, timeoutMs: 5_000, attempt: 1, labels: { round }, body };
    return [{ do: 'call', id: `round${round}#1`, activity: 'llm', input }];
  },
};
const chat: Workflow<Chat> = { name: 'chat', versions: { 1: rules } };

function replied(state: Chat, data: LlmCallCompleted['data']): Chat {
  const message = assistantMessage(data) ?? {};
  const messages = [...state.messages, message];
  const { tool_calls: calls, content } = message;
  const [called]: readonly Json[] = Array.isArray(calls) ? (calls as readonly Json[]) : [];
  if (!isJsonObject(called)) return { ...state, messages, end: content ?? null };
  return { ...state, messages, tool: { id: 'call_1', input: called['function'] ?? null } };
}

const KEY = 'sk-canary-0123456789';
const orders = Array.from({ length: 20 }, (_, index) => ({ item: `chair ${index}`, price: index }));

let server: ScriptedLlmServer;
beforeEach(async () => {
  server = await ScriptedLlmServer.start();
});
afterEach(() => server.close());

function setting() {
  const llm = llmActivity(
    new LlmProviders({ default: { apiKey: KEY, baseUrl: server.baseUrl } }),
    new Redactor([KEY]),
  );
  const functions = registeredFunctions(
    { order: () => orders },
    new ProposerFunctions(),
    new ArbiterFunctions(),
  );
  return new RuntimeSetting([chat], [llm, functionActivity(functions, new Redactor([KEY]))]);
}

async function chatted(of = setting()): Promise<readonly RecordedEvent[]> {
  const runtime = of.process({ time: systemTime });
  await runtime.start();
  const runId = await of.begin(runtime, 'chat', { url: `${server.baseUrl}/chat/completions` });
  for await (const batch of of.memory.subscribe(undefined, AbortSignal.timeout(10_000))) {
    if (batch.some(({ type }) => type === 'WorkflowEnded')) break;
  }
  await runtime.stop(0);
  return of.history('chat', runId);
}

function requestsIn(history: readonly RecordedEvent[]): readonly LlmCallRequested['data'][] {
  return (history as readonly RecordedEvent<LlmCallEvent>[]).flatMap((event) =>
    event.type === 'LlmCallRequested' ? [event.data] : [],
  );
}

describe('a call of a model', () => {
  it('sends the body whole, and records what is new in it', async () => {
    server.enqueue(toolCall('order', { id: 1 }), toolCall('order', { id: 2 }), text('Both are chairs.'));
    const of = setting();
    const history = await chatted(of);
    expect(history.at(-1)?.data).toEqual({ status: 'completed', result: 'Both are chairs.' });
    const requests = requestsIn(history);
    expect(requests.map(({ body }) => body.messages)).toEqual([
      {
        after: null,
        add: [
          { role: 'system', content: system },
          { role: 'user', content: 'Orders 1 and 2?' },
        ],
      },
      { after: 'round1#1', add: [{ reply: 'round1#1' }, { result: 'tool1#1', tool_call_id: 'call_1' }] },
      { after: 'round2#1', add: [{ reply: 'round2#1' }, { result: 'tool2#1', tool_call_id: 'call_1' }] },
    ]);
    expect(requests.map(({ body }) => body['tools'])).toEqual([
      tools,
      { sha256: expect.any(String) },
      { sha256: expect.any(String) },
    ]);
    const sent = server.requests.map((request) => request.text);
    let memory = emptyLlmMemory;
    const rebuilt = history.flatMap((event) => {
      memory = evolveLlmMemory(memory, event as RecordedEvent<ActivityEvent>);
      const call = event as RecordedEvent<LlmCallEvent>;
      return call.type === 'LlmCallRequested' ? [jsonText(bodyOf(call.data, memory))] : [];
    });
    expect(rebuilt).toEqual(sent);
    expect(verifyRun(chat, of.activities, history)).toMatchObject({ derived: 6, open: false });
  });

  it.each([
    [
      'its checksum',
      (data: LlmCallRequested['data']) => ({ ...data, bodySha256: '0'.repeat(64) }),
      '/data/bodySha256',
    ],
    [
      'a message',
      (data: LlmCallRequested['data']) => ({
        ...data,
        body: { ...data.body, messages: { after: null, add: [] } },
      }),
      '/data/body/messages/',
    ],
  ])('diverges in replay where %s was changed', async (_, change, pointer) => {
    server.enqueue(text('None.'));
    const of = setting();
    const history = await chatted(of);
    const changed = (history as readonly RecordedEvent<LlmCallEvent>[]).map((event) =>
      event.type === 'LlmCallRequested' ? { ...event, data: change(event.data) } : event,
    );
    const { divergence } = verifyRun(chat, of.activities, changed);
    expect(divergence).toMatchObject({ type: 'LlmCallRequested', pointer: expect.stringContaining(pointer) });
  });

  it('diverges in replay when a byte of the reply was changed', async () => {
    server.enqueue(text('None.'));
    const of = setting();
    const history = await chatted(of);
    const changed = (history as readonly RecordedEvent<LlmCallEvent>[]).map((event) => {
      if (event.type !== 'LlmCallCompleted') return event;
      const body = { ...event.data.body, content: event.data.body.content.replace('None', 'Some') };
      return { ...event, data: { ...event.data, body } };
    });
    expect(verifyRun(chat, of.activities, changed).divergence).toMatchObject({
      pointer: '/data/body/sha256',
    });
  });

  it('fails as the transport says, with the request headers that were sent and without the key', async () => {
    server.enqueue(droppedConnection());
    const history = await chatted();
    expect(history.at(-1)?.data).toMatchObject({ result: { kind: 'network', retryable: true } });
    expect(history.find(({ type }) => type === 'LlmCallFailed')?.data).toMatchObject({
      stepId: 'round1#1',
      requestHeaders: { Authorization: '[REDACTED]' },
    });
    expect(jsonText(history)).not.toContain(KEY);
  });

  it('is not made for an API that this process is not configured for', () => {
    const llm = llmActivity(
      new LlmProviders({ default: { apiKey: KEY, baseUrl: 'https://one.test/v1?key=secret' } }),
      new Redactor([]),
    );
    expect(llm.preflight({ url: 'https://one.test/v1/chat/completions?key=[REDACTED]' })).toBeUndefined();
    expect(llm.preflight({ url: 'https://other.test/v1/chat/completions' })).toMatchObject({
      code: 'configuration',
    });
  });

  it('0.2-O13: says that a prefix is no configured provider where the default provider has no key', () => {
    const llm = llmActivity(
      new LlmProviders({ default: { baseUrl: 'https://one.test/v1' } }),
      new Redactor([KEY]),
    );
    const asked = (model: string) => llm.preflight({ url: '', body: { model, messages: [] } });
    expect(asked('scripted/alpha')).toMatchObject({
      code: 'configuration',
      message: expect.stringMatching(/no provider scripted is configured.*OPENAI_API_KEY/),
    });
    const noKey = { message: expect.stringMatching(/there is no API key/) };
    expect(asked('alpha')).toMatchObject(noKey);
    expect(llm.preflight({})).toMatchObject(noKey);
  });

  it('is aborted by its signal, as interrupted', async () => {
    server.enqueue(noAnswer());
    const llm = llmActivity(
      new LlmProviders({ default: { apiKey: KEY, baseUrl: server.baseUrl } }),
      new Redactor([KEY]),
    );
    const body = { model: 'gpt-x', messages: [{ role: 'user', content: 'hi' }] };
    const data = { stepId: 'a#1', ...llm.request({ url: '', timeoutMs: 5_000, body }, emptyLlmMemory) };
    const after = llm.memory?.evolve?.(emptyLlmMemory, { type: 'LlmCallRequested', data }) ?? emptyLlmMemory;
    const stop = new AbortController();
    const context = { runId: 'r', stepId: 'a#1', signal: stop.signal, emit: () => undefined };
    const outcome = llm.perform(data, context, after);
    await server.received(1);
    stop.abort();
    expect(await outcome).toMatchObject({ failed: { failure: { kind: 'interrupted' } } });
  });
});
