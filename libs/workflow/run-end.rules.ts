import { ERASED } from '#lib/event-store';
import type { Event, RecordedEvent } from '#lib/kernel';
import type { RunEnd, RuntimeEvent, WorkflowEnded, WorkflowGivenUp } from './runtime.events.js';

/** How the last event of a run ends it. */
export function endIn(event: WorkflowEnded | WorkflowGivenUp): RunEnd {
  return event.type === 'WorkflowEnded' ? event.data : givenUpEnd(event.data);
}

/** How a run has ended, without folding its other steps; `undefined` while it has not. */
export function endOfRun(history: readonly RecordedEvent[]): RunEnd | undefined {
  const last = (history as readonly Event[] as readonly RuntimeEvent[]).findLast(isEnd);
  return last && endIn(last);
}

/** The events before a run has ended, or is to be cancelled. */
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
