import { describe, expect, it } from '@jest/globals';
import type { Json } from '#lib/kernel';
import {
  askModel,
  askPerson,
  attempt,
  callFunction,
  defineWorkflow,
  either,
  now,
  retried,
  type Steps,
  timer,
} from '../../libs/engine/public/workflow.js';
import {
  ModelExhausted,
  RunSetAside,
  type Scripted,
  scriptedModel,
  testWorkflow,
} from '../../libs/engine/public/testing.js';

const asking = defineWorkflow('asking', {
  input: { type: 'object' },
  uses: { models: ['m'] },
  versions: {
    1: function* ({ input }: { input: { readonly stream?: boolean } }) {
      const messages = [{ role: 'user', content: 'Hello' }];
      const { content, toolCalls, finishReason } = yield* askModel({
        model: 'm',
        messages,
        ...(input.stream && { modelParameters: { stream: true } }),
      });
      return {
        content,
        toolCalls: toolCalls.map((asked) => [asked.name, asked.arguments] as Json),
        finishReason,
      };
    },
  },
});

const buying = defineWorkflow('buying', {
  input: { type: 'object' },
  uses: { functions: ['price', 'remind'] },
  versions: {
    1: function* () {
      const price = yield* callFunction<number>('price', 'cup');
      const answered = yield* either({
        given: askPerson<boolean>({ title: 'Buy?', schema: { type: 'boolean' } }),
        late: timer('PT48H'),
      });
      return 'given' in answered ? { price, bought: answered.given.payload } : 'late';
    },
  },
});

const retrying = defineWorkflow('retrying', {
  input: { type: 'object' },
  uses: { functions: ['price'] },
  versions: {
    1: function* () {
      const once = yield* attempt(callFunction('price', 'jug'));
      const never = yield* attempt(callFunction('price', 'urn', { attempts: 2, timeout: 'PT0.02S' }));
      const twice = yield* callFunction('price', 'cup', { attempts: 2 });
      const thrice = yield* retried({ attempts: 3, call: () => callFunction('price', 'pot') });
      return ['failed' in once, 'failed' in never && never.failed.kind, twice, thrice];
    },
  },
});

let shared = 0;
const leaking = defineWorkflow('leaking', {
  input: {},
  versions: {
    1: function* () {
      shared += 1;
      yield* timer('PT1H');
      return shared;
    },
  },
});

const whole = (finish_reason: string, message: object) => ({
  status: 200,
  body: { choices: [{ index: 0, finish_reason, message: { role: 'assistant', ...message } }] },
});
const call = (name: string) => ({ name, arguments: { at: 1 } });
const calls = (...names: readonly string[]) => names.map((name) => [name, { at: 1 }]);

describe('testWorkflow', () => {
  const asked = (input: { readonly stream?: boolean }, ...replies: readonly Scripted[]) =>
    testWorkflow(asking, {
      input,
      model: scriptedModel(replies),
      llm: { maxAttempts: 1, callTimeoutMs: 1_000 },
    });

  it.each<[string, Scripted, object]>([
    ['text', 'Good day', { content: 'Good day', toolCalls: [], finishReason: 'stop' }],
    ['JSON', { json: { a: 1 } }, { content: '{"a":1}' }],
    [
      'a call of a tool',
      { toolCall: call('f') },
      { content: null, toolCalls: calls('f'), finishReason: 'tool_calls' },
    ],
    ['several calls', { toolCalls: [call('f'), call('g')] }, { toolCalls: calls('f', 'g') }],
    ['a whole HTTP reply', whole('stop', { content: 'As it is' }), { content: 'As it is' }],
    ['a reply that comes in time', { delayMs: 900, reply: 'Late' }, { content: 'Late' }],
    ['a refusal', whole('stop', { content: null, refusal: 'No' }), { finishReason: 'stop' }],
    ['a text that is cut', whole('length', { content: 'Hel' }), { content: 'Hel', finishReason: 'length' }],
    ['parts', { stream: ['Hel', 'lo'] }, { content: 'Hello' }],
    [
      'a function of the request',
      ({ body }) => ({ json: body['messages'] }),
      { content: '[{"role":"user","content":"Hello"}]' },
    ],
  ])('gives the result of a run, whose model answers with %s, streamed or not', async (_, reply, result) => {
    for (const input of [{}, { stream: true }]) {
      const isWhole = typeof reply === 'object' && 'status' in reply;
      if (isWhole && input.stream) continue;
      expect(await asked(input, reply)).toMatchObject({ status: 'completed', result });
    }
  });

  it('calls a function again that threw, as often as its script says, and none that takes too long', async () => {
    const asked: string[] = [];
    const price = (item: string) => {
      if (item === 'urn') return new Promise(() => asked.push(item));
      if (asked.push(item) && asked.filter((one) => one === item).length < (item === 'pot' ? 3 : 2))
        throw new Error('busy');
      return asked.length;
    };
    const { result } = await testWorkflow(
      retrying,
      { input: {}, functions: { price } },
      async ({ clock }) => {
        await clock.advance('PT3S');
      },
    );
    expect(asked).toEqual(['jug', 'urn', 'cup', 'cup', 'pot', 'pot', 'pot']);
    expect(result).toEqual([true, 'timeout', 4, 7]);
  });

  it.each<[string, Scripted, object]>([
    [
      'is not found',
      { status: 404, body: { error: { message: 'none' } } },
      { kind: 'http-error', message: expect.stringContaining('(404)') },
    ],
    [
      'is busy',
      { status: 429, body: 'slow down' },
      { kind: 'http-error', message: expect.stringContaining('(429)') },
    ],
    [
      'breaks',
      { status: 500, body: { error: { message: 'busy' } } },
      { kind: 'http-error', message: expect.stringContaining('(500)') },
    ],
    ['is not reached', { error: 'network' }, { kind: 'network' }],
    ['is too late', { delayMs: 1_001, reply: 'Late' }, { kind: 'timeout' }],
    ['breaks off', { error: 'timeout', message: 'No byte' }, { kind: 'timeout', message: 'No byte' }],
  ])('gives the failure of a run, whose model %s', async (_, reply, failure) => {
    expect(await asked({}, reply)).toMatchObject({ status: 'failed', failure });
  });

  it('says that a model was asked too often', async () => {
    await expect(asked({})).rejects.toThrow(ModelExhausted);
  });

  const functions = { price: () => 7, remind: () => null };

  it('lets the test answer people and pass time, and gives the run after that', async () => {
    const given = { input: {}, functions };
    expect(await testWorkflow(buying, given)).toMatchObject({ status: 'waiting' });
    const bought = await testWorkflow(buying, given, async ({ redial, runId }) => {
      const [task] = (await redial.listTasks({ runId })).items;
      await redial.answerTask({ taskId: task?.taskId ?? '', choice: 'answer', payload: true });
    });
    expect(bought).toMatchObject({ status: 'completed', result: { price: 7, bought: true } });
    const late = await testWorkflow(buying, given, ({ clock }) => clock.advance('PT49H'));
    expect(late).toMatchObject({ status: 'completed', result: 'late' });
  });

  it('fails if the second run is another one: the script has used what is not recorded', async () => {
    const unchecked = { input: null, checkScripts: false };
    const ran = testWorkflow(leaking, unchecked, ({ clock }) => clock.advance('PT1H'));
    await expect(ran).rejects.toThrow('[ReplayDiffers]');
    const checked = testWorkflow(leaking, { input: null }, ({ clock }) => clock.advance('PT1H'));
    await expect(checked).rejects.toThrow(/^\[/);
  });

  it.each<[string, () => Steps<unknown>, string]>([
    [
      'gives a step the id of another one',
      function* () {
        yield* timer('PT1S', { id: 'a' });
        yield* timer('PT1S', { id: 'a' });
      },
      'the id a comes twice. Give each step its own id.',
    ],
    [
      'gives what has no JSON text',
      function* () {
        yield* now();
        return 1n;
      },
      'the data of WorkflowEnded has no JSON text (Do not know how to serialize a BigInt). Let them give values of JSON.',
    ],
    [
      'calls a function that is not registered',
      function* () {
        yield* callFunction('gone', null);
      },
      'function "gone": it is not registered in this process; registered are: "price", "remind".',
    ],
    [
      'makes a step and does not run it',
      function* () {
        timer('PT1S');
        yield* now();
      },
      'and not run. Write `yield*` before it.',
    ],
    [
      'throws what is no failure',
      function* () {
        yield* now();
        throw new TypeError('no x');
      },
      'it threw TypeError: no x. Let it handle that, or throw `RunFails`.',
    ],
  ])('fails with the mistake of a script that %s', async (_, body, message) => {
    const mistaken = defineWorkflow('mistaken', { input: {}, versions: { 1: body } });
    const ran = testWorkflow(mistaken, { input: null, functions }, ({ clock }) => clock.advance('PT1H'));
    await expect(ran).rejects.toThrow(RunSetAside);
    await expect(ran).rejects.toThrow(message);
  });
});
