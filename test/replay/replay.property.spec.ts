import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { sha256 } from '#lib/kernel';
import { sessionHistories } from './golden-histories.js';
import { type History, type HistoryEvent, replayHistory } from './history.js';
import { tamperings } from './tampering.js';

function withEvent(history: History, event: HistoryEvent, changed: HistoryEvent): History {
  return { ...history, events: history.events.map((one) => (one === event ? changed : one)) };
}

function revisionOf({ events }: History, event: HistoryEvent): number {
  return events.filter(({ stream }) => stream === event.stream).indexOf(event);
}

/** Where a replay finds a change of an event: of those that a fork has copied, the first holds the hash of all. */
function placeOfChange(history: History, event: HistoryEvent) {
  const { stream } = event;
  const revision = revisionOf(history, event);
  const { copied } = JSON.parse(event.metadata) as { copied?: true };
  return copied && revision > 0
    ? { stream, revision: 0, pointer: '/data/forkedFrom/sha256' }
    : { stream, revision };
}

describe.each(sessionHistories.all())('the recorded history $name', ({ history }) => {
  it('replays identically', async () => {
    expect(await replayHistory(history)).toMatchObject({ identical: true, divergences: [] });
  });

  it('diverges at the right stream and revision after any change of value or order in a derived event', async () => {
    await fc.assert(
      fc.asyncProperty(tamperings(history), async ({ event, changed }) => {
        const report = await replayHistory(withEvent(history, event, changed));
        expect(report?.divergences).toContainEqual(expect.objectContaining(placeOfChange(history, event)));
        expect(report?.identical).toBe(false);
      }),
      { numRuns: 30 },
    );
  });

  it('diverges when an event that cannot be decoded stands, without a crash', async () => {
    for (const event of history.events) {
      const report = await replayHistory(withEvent(history, event, { ...event, data: '{"broken' }));
      const place = { stream: event.stream, revision: revisionOf(history, event) };
      expect(report?.divergences).toContainEqual(expect.objectContaining(place));
    }
  });

  it('diverges at the reply whose body no longer has its checksum', async () => {
    for (const event of history.events.filter(({ type }) => type === 'LlmCallCompleted')) {
      const data = JSON.parse(event.data) as { body: { content: string } };
      const changed = {
        ...event,
        data: JSON.stringify({ ...data, body: { ...data.body, content: `${data.body.content} ` } }),
      };
      const report = await replayHistory(withEvent(history, event, changed));
      const place = {
        stream: event.stream,
        revision: revisionOf(history, event),
        pointer: '/data/body/sha256',
      };
      expect(report?.divergences).toContainEqual(expect.objectContaining(place));
    }
  });

  it('diverges right after a changed reply, even with a corrected checksum', async () => {
    for (const event of history.events.filter(({ type }) => type === 'LlmCallCompleted')) {
      const data = JSON.parse(event.data) as { body: object };
      const content = '{"choices":[]}';
      const body = { ...data.body, content, sha256: sha256(content) };
      const report = await replayHistory(
        withEvent(history, event, { ...event, data: JSON.stringify({ ...data, status: 200, body }) }),
      );
      const place = { stream: event.stream, revision: revisionOf(history, event) + 1 };
      expect(report?.divergences).toContainEqual(expect.objectContaining(place));
    }
  });
});
