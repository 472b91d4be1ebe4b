import { describe, expect, it } from '@jest/globals';
import { EventCodec, EventLog, InMemoryEventStore, StreamNames } from '#lib/event-store';
import { conversationEventDefinitions } from '#lib/flows/core';
import { isRejection } from '#lib/kernel';
import { runsOfRoots } from '../asked-runs.js';
import { targetOf } from './why-target.js';
import { whyOf } from './why.js';

const STREAM = 'redial_conversation-long';

/** The causes of the last turn of a conversation with so many turns, each of which follows the one before. */
async function whyOfLast(turns: number, text: string) {
  const store = new InMemoryEventStore();
  const event = (eventId: string, type: string, data: object) => ({
    eventId,
    type,
    data: JSON.stringify(data),
    metadata: JSON.stringify({ occurredAt: '2026-01-02T03:04:05.678Z' }),
  });
  for (let turn = 0; turn < turns; turn += 1) {
    await store.append(STREAM, 'any', [
      event(`asked-${turn}`, 'TurnRequested', { turnId: `${turn}`, text }),
      event(`taken-${turn}`, 'TurnTaken', { turnId: `${turn}`, messages: [] }),
    ]);
  }
  const log = new EventLog(store, new EventCodec([conversationEventDefinitions]), new StreamNames());
  const target = await targetOf(log, STREAM, undefined);
  if (!target || isRejection(target)) throw new Error('There are turns.');
  return whyOf(log, STREAM, runsOfRoots, target);
}

describe('why an event came', () => {
  it('is said with the nearest 5,000 of its causes, each as a line, and with how many are left off', async () => {
    const graph = await whyOfLast(3000, 'And now? '.repeat(1000));
    if (isRejection(graph)) throw new Error(graph.message);
    const [first, ...others] = graph.nodes;
    expect(first).toMatchObject({ revision: 5999 });
    expect(others.map(({ revision }) => revision)).toEqual(Array.from({ length: 4999 }, (_, n) => 1000 + n));
    expect(graph.leftOff).toBe(1);
    expect(Math.max(...graph.nodes.map(({ summary }) => summary.length))).toBeLessThanOrEqual(500);
    const ids = new Set(graph.nodes.map(({ id }) => id));
    expect(graph.edges.every(({ from, to }) => ids.has(from) && ids.has(to))).toBe(true);
  });

  it('is refused where it is sought among more references than are held', async () => {
    expect(await whyOfLast(36_000, 'And now?')).toMatchObject({
      rejected: 'refused',
      code: 'why-too-large',
      message: expect.stringContaining('Ask for an earlier event by its revision'),
    });
  });
});
