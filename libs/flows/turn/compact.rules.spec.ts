import { describe, expect, it } from '@jest/globals';
import { conversationWith } from '../testing/story.js';
import { help } from '../testing/booking.js';
import type { CompactionInput } from '../agent/agent-definition.js';

const talk = (compaction: Partial<CompactionInput> = {}) =>
  conversationWith({
    flows: [{ ...help, reentrant: true }],
    compaction: { maxTokens: 60, ...compaction },
  });
const long = 'a'.repeat(60);

function sourcesOf(story: ReturnType<typeof talk>): readonly number[] {
  const last = story.events.at(-1);
  return last?.type === 'HistoryCompacted' ? last.data.sources : [];
}

describe('compaction (F-62)', () => {
  it('F-62: summarises turns before the recent ones once the history is over the threshold; the events name their sources', () => {
    const story = talk();
    story.say(long);
    expect(story.events.map(({ type }) => type)).not.toContain('HistoryCompacted');
    story.say(long);
    story.say(long, { compact: { summary: 'They said a.' } });
    expect(story.asked.at(-1)).toBe('compact');
    const compacted = story.events.at(-1);
    expect(compacted).toMatchObject({
      type: 'HistoryCompacted',
      data: { strategy: 'auto_compact', summary: 'They said a.' },
    });
    expect(sourcesOf(story).map((revision) => story.events[revision]?.type)).toEqual(['TurnTaken']);
    expect(story.conversation.history).toHaveLength(6);
  });

  it('tells the next turns the summary in place of its sources, and the summary after it has it as a source', () => {
    const story = talk();
    for (const _ of [1, 2]) story.say(long);
    story.say(long, { compact: { summary: 'First.' } });
    const first = story.events.length - 1;
    story.say(long, { compact: { summary: 'Second.' } });
    expect(story.question('extract') + story.question('route')).toContain('## Earlier\\nFirst.');
    expect(sourcesOf(story)[0]).toBe(first);
    story.say(long, { compact: { summary: 'Third.' } });
    const asked = story.question('route');
    expect(asked).toContain('Second.');
    expect(asked).not.toContain('First.');
  });

  it('F-62: keeps the recent turns even when one summary follows another at once', () => {
    const story = talk();
    for (const turn of [1, 2, 3, 4, 5]) story.say(`${turn}: ${long}`, { compact: { summary: 'Short.' } });
    const left = [1, 2, 3, 4, 5].filter((turn) => story.question('route').includes(`${turn}: ${long}`));
    expect(left).toEqual([3, 4, 5]);
  });

  it('F-62: leaves a history alone that has no more messages than are kept', () => {
    const story = talk({ preserveRecentCount: 12 });
    for (let turn = 1; turn <= 6; turn += 1) story.say(long);
    expect(sourcesOf(story)).toEqual([]);
    story.say(long, { compact: { summary: 'They said a.' } });
    expect(sourcesOf(story).map((revision) => story.events[revision]?.type)).toEqual(['TurnTaken']);
  });

  it('F-62: leaves the oldest turns out when the model gives no summary', () => {
    const story = talk();
    for (const _ of [1, 2]) story.say(long);
    story.say(long, { compact: new Error('too slow') });
    const compacted = story.events.at(-1);
    expect(compacted?.data).toEqual({ strategy: 'drop_oldest', sources: [2] });
    story.say('short', { compact: { summary: 'x' } });
    expect(story.question('route')).not.toContain('Earlier');
  });

  it('keeps the history that a turn reads short in a conversation that grows', () => {
    const story = talk({ maxTokens: 200 });
    const sizes = Array.from({ length: 24 }, () => {
      story.say(long, { compact: { summary: 'Short.' } });
      return JSON.stringify(story.history?.events).length;
    });
    expect(Math.max(...sizes.slice(16))).toBeLessThanOrEqual(1.05 * Math.max(...sizes.slice(8, 16)));
  });

  it('forgets the summary with the conversation', () => {
    const story = talk();
    for (const _ of [1, 2]) story.say(long);
    story.say(long, { compact: { summary: 'First.' } });
    story.dispatch({ abort: { reason: 'privacy', clearSession: true } }).say('x');
    story.say('x');
    expect(story.question('route')).not.toContain('First.');
  });
});
