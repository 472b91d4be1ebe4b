import { describe, expect, it } from '@jest/globals';
import type { Json } from '#lib/kernel';
import { callsOf, endOf, fallbacksOf, ladder } from './testing/ladder.js';
import { httpReply } from './testing/scripted-replies.js';
import { plain } from './testing/ladder-start.js';

const refund = { transitionName: 'refund', toState: 'refunded' };
const reply = (message: { [member: string]: Json }, finish_reason = 'stop') =>
  httpReply(200, { model: 'm', choices: [{ index: 0, message, finish_reason }] });
const toolCall = (args: string) => ({
  content: null,
  tool_calls: [{ id: 'c', type: 'function', function: { name: 'refund', arguments: args } }],
});
const parts = (...texts: string[]) => texts.map((text) => ({ type: 'text', text }));

describe('X-D2: content as a list of parts', () => {
  it('is read as its text, without a second call', () => {
    const events = ladder().replies(
      reply({ content: parts('{"transitionName":"refund",', '"toState":"refunded"}') }),
    );
    expect(endOf(events).data).toMatchObject(refund);
    expect(callsOf(events)).toHaveLength(1);
  });

  it('is the reasoning beside a tool call', () => {
    const events = ladder().replies(reply({ ...toolCall('{"amount":5}'), content: parts('It ', 'broke.') }));
    expect(endOf(events).data).toMatchObject({ ...refund, reasoning: 'It broke.' });
  });
});

describe('X-D2: a refusal', () => {
  const refused: [string, { [member: string]: Json }][] = [
    ['a member', { content: null, refusal: 'I cannot help with that.' }],
    ['a part of the content', { content: [{ type: 'refusal', refusal: 'I cannot help with that.' }] }],
    ['a member beside prose', { content: 'Sorry.', refusal: 'I cannot help with that.' }],
  ];

  it.each(refused)('as %s fails on the tools rung, without a second call', (_, message) => {
    const events = ladder().replies(reply(message));
    expect(fallbacksOf(events)).toEqual([]);
    expect(endOf(events).data).toEqual({
      failure: {
        kind: 'refusal',
        message: 'The model refused: I cannot help with that.',
        upstreamStatus: 200,
      },
    });
  });

  it.each(refused)('as %s fails on the text rung', (_, message) => {
    const events = ladder({ transitions: plain }).replies(reply(message));
    expect(endOf(events).data).toMatchObject({ failure: { kind: 'refusal' } });
  });

  it('does not take away a choice that came beside it', () => {
    const choice = { ...toolCall('{"amount":5}'), refusal: 'Not gladly.' };
    expect(endOf(ladder().replies(reply(choice))).data).toMatchObject(refund);
  });
});

describe.each([
  ['length', 'length'],
  ['content_filter', 'content-filter'],
])('X-D2: a reply stopped by %s', (finishReason, kind) => {
  const failure = { failure: { kind, upstreamStatus: 200 } };

  it.each<[string, { [member: string]: Json }]>([
    ['no text', { content: null }],
    ['the beginning of a decision', { content: '{"transitionName":"ref' }],
    ['the beginning of a fenced decision', { content: '```json\n{"transitionName":"ref' }],
    ['the beginning of arguments', toolCall('{"amount":')],
  ])(`with %s fails as ${kind}, without a second call`, (_, message) => {
    const events = ladder().replies(reply(message, finishReason));
    expect(callsOf(events)).toHaveLength(1);
    expect(endOf(events).data).toMatchObject(failure);
  });

  it('with a whole choice is taken', () => {
    const called = ladder().replies(reply(toolCall('{"amount":5}'), finishReason));
    const written = ladder().replies(reply({ content: JSON.stringify(refund) }, finishReason));
    expect(endOf(called).data).toMatchObject(refund);
    expect(endOf(written).data).toMatchObject(refund);
  });

  it('with prose goes down the ladder like any prose', () => {
    const prose = reply({ content: 'I think that' }, finishReason);
    const events = ladder().replies(prose, prose);
    expect(endOf(events).data).toMatchObject({ failure: { kind: 'unreadable-decision' } });
  });

  it('ends soon for text without end', () => {
    const spaces = reply({ content: `\`\`\`${' '.repeat(500_000)}x` }, finishReason);
    expect(endOf(ladder().replies(spaces, spaces)).status).toBe('failed');
  });
});
