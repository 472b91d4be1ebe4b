import { ERASED } from '#lib/event-store';
import type { Event, RecordedEvent } from '#lib/kernel';
import type { RunEnd, RuntimeEvent, WorkflowEnded, WorkflowGivenUp } from './runtime.events.js';

/** The end that the last event of a run gives it. */
export function endIn(event: WorkflowEnded | WorkflowGivenUp): RunEnd {
  return event.type === 'WorkflowEnded' ? event.data : givenUpEnd(event.data);
}

/** The end of a run, without folding its other steps; `undefined` if it has not ended. */
export function endOfRun(history: readonly RecordedEvent[]): RunEnd | undefined {
  const last = (history as readonly Event[] as readonly RuntimeEvent[]).findLast(isEnd);
  return last && endIn(last);
}

/** The events before the end of a run, or before the request to cancel it. */
export function beforeEnd<One extends RecordedEvent>(history: readonly One[]): readonly One[] {
  const over = history.findIndex(
    (event: Event) => event.type === 'RunCancelRequested' || isEnd(event as RuntimeEvent),
  );
  return over === -1 ? history : history.slice(0, over);
}

function isEnd(event: RuntimeEvent): event is WorkflowEnded | WorkflowGivenUp {
  return event.type === 'WorkflowEnded' || event.type === 'WorkflowGivenUp';
}

const GIVEN_UP = 'given-up';

/** The end of a run that an operator gave up, or whose subject was erased. */
export function givenUpEnd({ reason, kind }: WorkflowGivenUp['data'] = {}): RunEnd {
  if (kind === ERASED) return { status: 'failed', failure: { kind, message: 'its subject was erased' } };
  return { status: 'failed', failure: { kind: GIVEN_UP, message: reason ?? 'an operator ended the run' } };
}

/** Whether a run ended because an operator gave it up. */
export function isGivenUp({ failure }: RunEnd): boolean {
  return failure?.kind === GIVEN_UP;
}
