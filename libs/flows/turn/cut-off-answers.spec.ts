import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '#lib/kernel';
import { conversationWith } from '../testing/story.js';

/** The end of a turn whose answer is this reply. */
function endOf(respond: JsonObject) {
  const flows = [{ id: 'talk', title: 'Talk', steps: [{ id: 's', prompt: 'Say' }] }];
  const story = conversationWith({ schema: { type: 'object' }, flows });
  return story.run('Hello', { respond });
}

describe('an answer that the provider stopped', () => {
  it.each([
    ['length', 'length', { content: 'The visit is on Mon' }],
    ['length', 'length', { content: '{"message":"The visit is on Mon' }],
    ['length', 'length', { content: '```json\n{"message":"The visit is on Mon' }],
    ['length', 'length', { content: null }],
    ['content-filter', 'content_filter', { content: 'I would' }],
    ['refusal', 'stop', { content: null, refusal: 'No.' }],
  ])('0.2-V13: fails the turn with the kind %s (%s: %j)', (kind, finish_reason, message) => {
    const end = endOf({ finish_reason, ...message });
    expect(end).toMatchObject({ status: 'failed', failure: { kind, upstreamStatus: 200 } });
  });

  it('0.2-V13: counts if its JSON is whole', () => {
    const end = endOf({ finish_reason: 'length', content: '{"message":"On Monday."} and' });
    expect(end).toMatchObject({ status: 'failed', failure: { kind: 'length' } });
    const whole = endOf({ finish_reason: 'length', content: '{"message":"On Monday."}' });
    expect(whole).toMatchObject({ status: 'completed', result: { message: 'On Monday.' } });
  });

  it('0.2-V13: is `unusable-reply` if the provider gives no reason', () => {
    const end = endOf({ finish_reason: 'stop', content: '' });
    expect(end).toMatchObject({ status: 'failed', failure: { kind: 'unusable-reply' } });
  });
});
