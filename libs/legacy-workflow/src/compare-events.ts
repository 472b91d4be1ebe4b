import { type Event, firstDifference, type RecordedEvent } from '#lib/kernel';
import type { Divergence } from './divergence.js';

/** The difference between a recorded event and the one derived in its place, in type or data. Metadata is not compared. */
export function compareEvents(recorded: RecordedEvent, replayed: Event | undefined): Divergence | undefined {
  const place = { stream: recorded.stream, revision: recorded.revision, type: recorded.type };
  const { type, data } = recorded;
  if (!replayed || replayed.type !== type) {
    return { ...place, pointer: '/type', recorded: type, replayed: replayed?.type };
  }
  const difference = firstDifference(data, replayed.data, '/data');
  return difference && { ...place, ...difference };
}
