import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '#lib/kernel';
import type { ModelParameters } from '../model-parameters.js';
import type { RunHistory } from '#lib/workflow/testing';
import type { ModelAsk } from './spent.js';
import type { ModelRoute } from './model-route.js';
import { asking, replied } from './testing/asking.js';
import { sampleRoute } from './testing/sample-route.js';

const tool = { type: 'function', function: { name: 'pay', description: 'Pay', parameters: {} } } as const;
const parameters: ModelParameters = { temperature: 0, maxTokens: 5, toolChoice: 'auto' };
const ask = (more: Partial<ModelAsk> = {}) =>
  asking({ routes: [sampleRoute('main'), sampleRoute('backup')], ...more }, { tools: [tool] }, parameters);
const refused = (error: JsonObject | string, status = 400) => replied(status, { error });

function bodies(history: RunHistory): readonly object[] {
  return history.recorded.flatMap(({ type, data }) =>
    type === 'LlmCallRequested' ? [(data as { body: object }).body] : [],
  );
}
const fallbacks = (history: RunHistory) =>
  history.recorded.flatMap(({ type, data }) => (type === 'FallbackTaken' ? [data] : []));

describe('a parameter that a provider refuses', () => {
  it.each([
    { param: 'temperature', message: 'Unsupported value' },
    { message: "'temperature' does not support 0 with this model." },
    { message: 'Unknown name "temperature": cannot find field.' },
    '`temperature` is not supported',
  ])('is left out in one more attempt, which says so: %j', (error) => {
    const history = ask().answer('ask#1', refused(error)).answer('ask#2', replied(200));
    expect(fallbacks(history)).toEqual([
      {
        callId: 'ask',
        from: 'temperature',
        to: 'none',
        reason: 'parameter-refused',
        upstreamStatus: 400,
        learned: { provider: 'default', model: 'main' },
      },
    ]);
    const [first, second] = bodies(history);
    expect(first).toMatchObject({ temperature: 0, max_tokens: 5 });
    expect(second).toMatchObject({ max_tokens: 5, tool_choice: 'auto' });
    expect(second).not.toHaveProperty('temperature');
    expect(history.end).toMatchObject({ result: 'Yes.' });
  });

  it('0.2-V14: is left out, whatever members every object has of its name', () => {
    const given: ModelParameters = { ...parameters, extraBody: { constructor: 1, toString: 2 } };
    const history = asking({ routes: [sampleRoute('main')] }, {}, given);
    history
      .answer('ask#1', refused({ param: 'constructor', message: 'unknown' }))
      .answer('ask#2', replied(200));
    expect(fallbacks(history)).toMatchObject([{ from: 'constructor', to: 'none' }]);
    expect(bodies(history).map((body) => Object.hasOwn(body, 'constructor'))).toEqual([true, false]);
    expect(bodies(history)[1]).toMatchObject({ toString: 2 });
  });

  it('is renamed where it is max_tokens', () => {
    const error = { param: 'max_tokens', message: "Use 'max_completion_tokens' instead." };
    const history = ask().answer('ask#1', refused(error)).answer('ask#2', replied(200));
    expect(fallbacks(history)).toMatchObject([{ from: 'max_tokens', to: 'max_completion_tokens' }]);
    expect(bodies(history)[1]).toMatchObject({ max_completion_tokens: 5, temperature: 0 });
    expect(bodies(history)[1]).not.toHaveProperty('max_tokens');
  });

  it('is corrected once: the second refusal is the failure', () => {
    const history = ask().answer('ask#1', refused({ param: 'temperature' }));
    history.answer('ask#2', refused({ param: 'max_tokens', message: 'no' }));
    expect(history.end).toMatchObject({ failure: { kind: 'http-error', upstreamStatus: 400 } });
  });

  it('does not count as an attempt', () => {
    const history = ask({ routes: [sampleRoute('main', { maxAttempts: 2 })] });
    history.answer('ask#1', refused({ param: 'temperature' })).answer('ask#2', replied(503));
    expect([...history.open.keys()]).toEqual(['ask-retry#3']);
  });

  it.each([
    { param: 'messages', message: 'too long' },
    { message: 'temperature is wrong' },
    { param: 'seed', message: 'no such model' },
  ])('is none in %j', (error) => {
    expect(ask().answer('ask#1', refused(error)).end).toMatchObject({ status: 'failed' });
  });
});

describe('tools that a provider refuses', () => {
  it.each([400, 404, 422])('are left out after HTTP %d', (status) => {
    const error = { message: 'No endpoints found that support tool use.' };
    const history = ask().answer('ask#1', refused(error, status)).answer('ask#2', replied(200));
    expect(fallbacks(history)).toMatchObject([{ from: 'tools', to: 'none', reason: 'tools-refused' }]);
    expect(bodies(history)[1]).not.toHaveProperty('tools');
  });

  it('fail a call that needs them', () => {
    const error = { message: 'This model does not support tools.' };
    expect(ask({ needsTools: true }).answer('ask#1', refused(error)).end).toMatchObject({ status: 'failed' });
  });
});

describe('what a provider refuses', () => {
  it.each([
    [{ param: 'temperature', message: 'temperature must be at most 2' }, undefined],
    [{ message: "Invalid schema for the tool 'pay'" }, undefined],
    [{ param: 'temperature', code: 'unsupported_value', message: 'must be 1' }, { model: 'main' }],
    [{ message: 'No endpoints found that support tool use.' }, { model: 'main' }],
  ])('is remembered for later runs where it is no value of this request: %j', (error, learned) => {
    const [fallback] = fallbacks(ask().answer('ask#1', refused(error)));
    expect((fallback as { learned?: object }).learned).toEqual(
      learned && { provider: 'default', ...learned },
    );
  });

  const known = (members: ModelRoute['known'] & {}, more: Partial<ModelAsk> = {}) =>
    ask({ routes: [sampleRoute('main', { known: members })], ...more });

  it('is left out before the first request when an earlier run observed it, and each says so', () => {
    const history = known({
      temperature: null,
      max_tokens: 'max_completion_tokens',
      seed: null,
      tools: null,
    });
    const skip = { callId: 'ask', reason: 'known-unsupported' };
    expect(fallbacks(history)).toEqual([
      { ...skip, from: 'temperature', to: 'none' },
      { ...skip, from: 'max_tokens', to: 'max_completion_tokens' },
      { ...skip, from: 'tools', to: 'none' },
    ]);
    expect(bodies(history)).toMatchObject([{ max_completion_tokens: 5 }]);
    expect(Object.keys(bodies(history)[0] ?? {})).not.toContain('temperature');
    expect(history.answer('ask#1', replied(200)).end).toMatchObject({ status: 'completed' });
  });

  it('and was not observed before can still be corrected once', () => {
    const history = known({ temperature: null }).answer('ask#1', refused({ param: 'max_tokens' }));
    history.answer('ask#2', refused({ param: 'max_completion_tokens' }));
    expect(history.end).toMatchObject({ status: 'failed' });
    expect(bodies(history)).toHaveLength(2);
  });

  it('is sent all the same when the call needs it', () => {
    const history = known({ tools: null }, { needsTools: true });
    expect([fallbacks(history), bodies(history)]).toMatchObject([[], [{ tools: [tool] }]]);
  });
});
