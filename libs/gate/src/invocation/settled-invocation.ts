import type { RecordedEvent } from '#lib/kernel';
import type { SessionEvent } from '#lib/session';

type History = readonly RecordedEvent<SessionEvent>[];

/**
 * What a gate's caller waits for: the session up to the first event that decides it or turns to a person. What comes later is
 * not in it, so that a repeat of the call is answered alike. `undefined` while it is under way.
 */
export function settledInvocation(history: History): History | undefined {
  const end = history.findIndex(
    ({ type }) => type === 'TransitionExecuted' || type === 'HumanInputRequested',
  );
  return end < 0 ? undefined : history.slice(0, end + 1);
}
