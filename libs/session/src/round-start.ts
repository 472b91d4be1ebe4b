import type { RecordedEvent } from '#lib/kernel';
import type { SessionEvent } from './session.events.js';

/** Revision of the event that began a round; that of the last event where none did. What was so then, the round is about. */
export function roundStart(history: readonly RecordedEvent<SessionEvent>[], roundId: string): number {
  const began = history.find(
    ({ type, data }) =>
      (type === 'SessionCreated' && data.roundId === roundId) ||
      (type === 'TransitionExecuted' && data.nextRoundId === roundId),
  );
  return (began ?? history.at(-1))?.revision ?? 0;
}
