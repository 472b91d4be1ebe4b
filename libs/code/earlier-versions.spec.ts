import { describe, expect, it } from '@jest/globals';
import type { LlmCallRequested } from '#lib/call-rules';
import { given, openCalls, plays, replies, toolOk } from './testing/code-history.js';

describe('runs of code that version 2 of the rules has decided derive as they did', () => {
  it.each([
    [2, ['first', 'second', 'second']],
    [3, ['first', 'second', 'first']],
  ])('L-66: after a model has failed, version %i asks these in the next turn: %j', async (version, asked) => {
    const history = given({ chat: true }, [], ['first', 'second'], version);
    history.signal('message-1', { text: 'Hi' });
    const failure = { kind: 'network' as const, message: 'down', retryable: false, durationMs: 1 };
    history.answer(openCalls(history, 'llm')[0] ?? '', { failed: { failure } });
    await plays(replies(history, "yield <Message>Hello</Message>;\nreturn { action: 'listen' };"));
    history.signal('message-2', { text: 'And?' });
    const requests = history.events.filter(({ type }) => type === 'LlmCallRequested');
    expect(requests.map(({ data }) => (data as LlmCallRequested['data']).body['model'])).toEqual(asked);
  });

  it.each([
    [2, { order: 1 }],
    [3, 'invalid-input'],
  ])('L-32: with the input null of a hook, version %i gives the program %j', async (version, value) => {
    const program =
      "try { return { action: 'done', value: await find({ order: 1 }) }; } catch (e) { return { action: 'done', value: e.code }; }";
    const history = given({ hooks: { onBeforeTool: { fn: 'before' } } }, undefined, undefined, version);
    await plays(replies(history, program), toolOk, { before: () => ({ input: null }) });
    expect(history.end).toMatchObject({ result: { value } });
  });
});
