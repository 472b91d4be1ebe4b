import { beforeEach, describe, expect, it } from '@jest/globals';
import { EventCodec, EventLog, InMemoryEventStore, StreamNames } from '#lib/event-store';
import type { Event } from '#lib/kernel';
import { mergedEvents, runsBelow } from './merged-events.js';

const requests = [
  {
    category: 'session' as const,
    workflow: 'solicitation',
    askedBy: ({ data }: Event) => (data as { asks?: string }).asks,
    takenBy: () => undefined,
  },
];

let log: EventLog;
let count: number;

/** Appends an event whose type is unique in its test. */
async function append(stream: string, type: string, data: object = {}, more: object = {}): Promise<void> {
  const metadata = JSON.stringify({ occurredAt: '2026-01-02T03:04:05.678Z', ...more });
  const event = { eventId: `event-${(count += 1)}`, type, data: JSON.stringify(data), metadata };
  await log.store.append(`redial_${stream}`, 'any', [event]);
}

async function merged(stream: string, ofCopies = false): Promise<readonly string[]> {
  const types: string[] = [];
  for await (const { event } of mergedEvents(log, [`redial_${stream}`], runsBelow(requests, ofCopies)))
    types.push(event.type);
  return types;
}

describe('events of streams that are merged', () => {
  beforeEach(async () => {
    count = 0;
    const types = ['Asks', 'Started', 'Ended', 'Took', 'CopiedAsks', 'CopiedTook', 'Forked'];
    const definitions = Object.fromEntries(types.map((type) => [type, { version: 1, members: {} }]));
    log = new EventLog(new InMemoryEventStore(), new EventCodec([definitions]), new StreamNames());
    await append('session-parent', 'Asks', { asks: 'run' });
    await append('solicitation-run', 'Started');
    await append('solicitation-run', 'Ended');
    await append('session-parent', 'Took');
    await append('session-fork', 'CopiedAsks', { asks: 'run' }, { copied: true });
    await append('session-fork', 'CopiedTook', {}, { copied: true });
    await append('session-fork', 'Forked');
  });

  it('come in log order, each once', async () => {
    expect(await merged('session-parent')).toEqual(['Asks', 'Started', 'Ended', 'Took']);
  });

  it('come each once, those of a run after the event that names it, where the run began before that event', async () => {
    expect(await merged('session-fork', true)).toEqual([
      'CopiedAsks',
      'Started',
      'Ended',
      'CopiedTook',
      'Forked',
    ]);
  });

  it('are of the runs that were asked for where they happened alone, if copied events are left out', async () => {
    expect(await merged('session-fork')).toEqual(['CopiedAsks', 'CopiedTook', 'Forked']);
  });
});
