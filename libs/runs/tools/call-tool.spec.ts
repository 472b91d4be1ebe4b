import { describe, expect, it } from '@jest/globals';
import { callFunction, functionCallRules, llmCallRules, askModel, toolCallRules } from '#lib/call-rules';
import { type JsonObject, jsonText, sha256 } from '#lib/kernel';
import { attempt, type Body, defineWorkflow, type Outcome } from '#lib/workflow';
import { RunHistory } from '#lib/workflow/testing';
import { callTool } from './tool-call.script.js';

const charge = {
  toolId: 'charge',
  version: 2,
  description: 'Charges',
  parameters: { type: 'object', properties: { sku: { type: 'string' } }, required: ['sku'] },
  execution: { fnName: 'charge' },
  policy: {},
};
const route = (model: string) => ({
  modelId: model,
  model,
  flags: {},
  provider: 'default',
  url: 'https://models.test/v1/chat/completions',
  timeoutMs: 1_000,
  maxAttempts: 1,
});
const facts = {
  tools: [charge, { ...charge, toolId: 'careful', policy: { needsApproval: true } }],
  models: { routes: [route('main'), route('backup')], seed: 'seed' },
};
const activities = [toolCallRules, functionCallRules, llmCallRules];

function given(body: Body<unknown, unknown>): RunHistory {
  const workflow = defineWorkflow('sample', { input: {}, versions: { 1: body } });
  return RunHistory.of(workflow, { input: null, activities, facts });
}
const completed = (data: JsonObject): Outcome => ({ completed: { durationMs: 1, ...data } });
const ok = completed({ result: { success: true, message: 'ok', data: { id: 7 } } });
const failed = (kind: string, retryable: boolean): Outcome => ({
  failed: { failure: { kind, message: `${kind}!`, retryable, durationMs: 1 } },
});
const open = (history: RunHistory) => [...history.open.keys()];

describe('callTool in a script', () => {
  const once = (toolId: string, args: JsonObject = { sku: 'a' }) =>
    given(function* () {
      const tried = yield* attempt(callTool(toolId, args));
      return 'failed' in tried ? `${tried.failed.kind}: ${tried.failed.message}` : tried.value;
    });

  it('gives the data of the result', () => {
    const history = once('charge');
    expect(history.recorded[0]).toMatchObject({
      type: 'ToolCallRequested',
      data: { stepId: 'tool#1#1', toolId: 'charge', toolVersion: 2, arguments: { sku: 'a' }, attempt: 1 },
    });
    expect(history.answer('tool#1#1', ok).end?.result).toEqual({ id: 7 });
  });

  it('fails with the kind of the failure, of wrong arguments, or as refused by a person', () => {
    expect(once('charge').answer('tool#1#1', failed('network', false)).end?.result).toBe('network: network!');
    expect(once('charge', {}).end?.result).toMatch(/^invalid-arguments: /);
    const refused = once('careful').signal('tool#1-approval#1', { approved: false, reason: 'no' });
    expect(refused.end?.result).toBe('refused: A person refused this call: no');
  });

  it('asks a person before a call is repeated whose outcome is unknown', () => {
    const history = once('charge').answer('tool#1#1', failed('interrupted', false));
    expect(open(history)).toEqual(['tool#1-approval#1']);
    history.signal('tool#1-approval#1', { approved: true }).answer('tool#1#2', ok);
    expect(history.end?.result).toEqual({ id: 7 });
  });

  it('of a tool that is not in `uses` is a WorkflowBug', () => {
    expect(() => once('other')).toThrow('it calls the tool "other". Name it in `uses`');
  });
});

describe('callFunction in a script', () => {
  it('is tried as often as it says, and gives what the function returns', () => {
    const history = given(function* () {
      return yield* callFunction('price', { sku: 'a' }, { id: 'price', attempts: 2 });
    });
    history.answer('price#1', failed('network', true)).fire('price-retry#2');
    expect(history.answer('price#2', completed({ result: 5 })).end?.result).toBe(5);
  });

  it('has the time that it says for an attempt, which is a duration', () => {
    const history = given(function* () {
      yield* callFunction('price', null, { timeout: 'PT5M' });
    });
    expect(history.events.at(-1)).toMatchObject({ data: { fnName: 'price', timeoutMs: 300_000 } });
    const wrong = () =>
      given(function* () {
        yield* callFunction('price', null, { timeout: '5 minutes' });
      });
    expect(wrong).toThrow('"5 minutes" is no duration');
  });

  it('has a number of attempts: NaN would never end', () => {
    const wrong = () =>
      given(function* () {
        yield* callFunction('price', null, { attempts: Number.NaN });
      });
    expect(wrong).toThrow('NaN is no number of attempts');
  });

  it('is not made again after its process ended, since the function may have done its work', () => {
    const history = given(function* () {
      yield* callFunction('price', null, { attempts: 3 });
    });
    history.answer('function#1#1', failed('interrupted', false));
    expect(history.end?.failure?.kind).toBe('interrupted');
  });
});

describe('askModel in a script', () => {
  const messages = [{ role: 'user', content: 'Hello' }];
  const replied = (status: number, content: string): Outcome => {
    const text = jsonText({ choices: [{ message: { role: 'assistant', content }, finish_reason: 'stop' }] });
    const body = { encoding: 'utf8', content: text, sha256: sha256(text) };
    return completed({ status, requestHeaders: {}, responseHeaders: {}, body });
  };

  it('gives the reply, as later requests repeat it', () => {
    const history = given(function* () {
      return yield* askModel({ model: 'main', messages });
    }).answer('model#1#1', replied(200, 'Yes.'));
    expect(history.end?.result).toMatchObject({
      content: 'Yes.',
      message: { role: 'assistant', content: 'Yes.' },
      toolCalls: [],
      finishReason: 'stop',
      usage: { calls: 1, inputTokens: 0, outputTokens: 0 },
      model: 'main',
    });
  });

  it('asks its backups, and fails with the last failure', () => {
    const history = given(function* () {
      yield* askModel({ model: 'main', backupModels: ['backup'], messages }, { id: 'm' });
    }).answer('m#1', replied(501, ''));
    expect(history.recorded.at(-2)).toMatchObject({
      type: 'FallbackTaken',
      data: { from: 'main', to: 'backup' },
    });
    expect(history.answer('m#2', replied(400, '')).end?.failure?.kind).toBe('http-error');
  });

  it('says which model answered, what all attempts used, and the tools that it asks for', () => {
    const called = (id: string, args: string) => {
      return { id, type: 'function', function: { name: 'find', arguments: args } };
    };
    const text = jsonText({
      choices: [
        { message: { content: null, tool_calls: [called('c1', '{"order":1}'), called('c2', 'no')] } },
      ],
      usage: { prompt_tokens: 5, completion_tokens: 2 },
    });
    const body = { encoding: 'utf8', content: text, sha256: sha256(text) };
    const history = given(function* () {
      return yield* askModel({ model: 'main', backupModels: ['backup'], messages }, { id: 'm' });
    }).answer('m#1', replied(501, ''));
    history.answer('m#2', completed({ status: 200, requestHeaders: {}, responseHeaders: {}, body }));
    expect(history.end?.result).toMatchObject({
      content: null,
      toolCalls: [
        { callId: 'c1', name: 'find', arguments: { order: 1 } },
        { callId: 'c2', name: 'find', arguments: 'no' },
      ],
      usage: { calls: 2, inputTokens: 5, outputTokens: 2 },
      model: 'backup',
    });
  });

  it('makes no further attempt once it has spent its budget', () => {
    const history = given(function* () {
      yield* askModel({ model: 'main', backupModels: ['backup'], messages, budget: { maxTokens: 0 } });
    });
    expect(history.end?.failure?.kind).toBe('budget');
  });

  it('of a model that is not in `uses`, or with such a tool, is a WorkflowBug', () => {
    const asking = (model: string, tools: readonly string[]) => () =>
      given(function* () {
        yield* askModel({ model, tools, messages });
      });
    expect(asking('other', [])).toThrow('it asks the model "other". Name it in `uses`');
    expect(asking('main', ['other'])).toThrow('it offers the tool "other". Name it in `uses`');
  });
});
