import { expect } from '@jest/globals';
import { type EventStore, RevisionConflict } from '#lib/event-store';
import { anEvent } from './sample-events.js';

/** Two writers go for the same revision, again and again: each time exactly one gets it, and the log shows the winners. */
export async function raceTwoWriters(
  writers: readonly [EventStore, EventStore],
  times: number,
): Promise<void> {
  const winners: string[] = [];
  for (let revision = 0; revision < times; revision += 1) {
    const events = [anEvent(), anEvent()];
    const race = await Promise.allSettled(
      writers.map((writer, n) =>
        writer.append('race', revision === 0 ? 'no-stream' : revision - 1, events.slice(n, n + 1)),
      ),
    );
    const won = race.findIndex(({ status }) => status === 'fulfilled');
    const lost = race.filter((outcome) => outcome.status === 'rejected');
    expect(lost.map(({ reason }) => reason instanceof RevisionConflict)).toEqual([true]);
    winners.push(events[won]?.eventId ?? '');
  }
  const stored = await writers[0].readStream('race');
  expect(stored.map(({ eventId }) => eventId)).toEqual(winners);
}
