import type { RecordedEvent } from '#lib/kernel';
import type { SessionEvent } from '#lib/session';

type History = readonly RecordedEvent<SessionEvent>[];

/**
 * The session up to the first event that decides it or calls a person, for which a gate's caller waits. Later events are
 * not in it, so that a repeat of the call is answered alike. `undefined` while it is under way.
 */
export function settledInvocation(history: History): History | undefined {
  const end = history.findIndex(
    ({ type }) => type === 'TransitionExecuted' || type === 'HumanInputRequested',
  );
  return end < 0 ? undefined : history.slice(0, end + 1);
}
