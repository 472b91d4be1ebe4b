import type { Event, RecordedEvent } from '#lib/kernel';
import { compareEvents } from './compare-events.js';
import type { Divergence } from './divergence.js';
import type { Workflow } from './workflow.js';

/** What walking one history again gave. */
export interface Verification {
  /** Events that pure code gave again, equal in type and data. */
  readonly derived: number;
  /** Events taken as facts from the record. */
  readonly given: number;
  /** Whether the history has not ended yet. */
  readonly open: boolean;
  /** The first difference, if there is one; what comes after it is not looked at. */
  readonly divergence?: Divergence;
}

/**
 * Asks `next` again after every event but a pending request: what it gives must equal what is recorded, in type and in the
 * JSON text of the data. Given events are taken from the record, if what they say of themselves holds.
 */
export function verifyWorkflow<State, E extends Event>(
  workflow: Workflow<State, E>,
  [start, ...rest]: readonly RecordedEvent<E>[],
): Verification {
  if (!start) return { derived: 0, given: 0, open: true };
  let state = workflow.initialState(start);
  let derived = 0;
  let given = 1;
  let ended = false;
  for (const event of rest) {
    const pending = workflow.pending(state);
    const divergence = ended
      ? afterEnd(event)
      : pending
        ? checkGiven(workflow, state, event)
        : checkDerived(workflow, state, event);
    if (divergence) return { derived, given, open: false, divergence };
    if (pending) given++;
    else derived++;
    state = workflow.evolve(state, event);
    ended = workflow.endTypes.includes(event.type);
  }
  return { derived, given, open: !ended };
}

function checkDerived<State, E extends Event>(
  workflow: Workflow<State, E>,
  state: State,
  event: RecordedEvent<E>,
): Divergence | undefined {
  const step = workflow.next(state);
  const replayed = step.kind === 'perform' ? step.request : step.event;
  return compareEvents(event, replayed);
}

function checkGiven<State, E extends Event>(
  workflow: Workflow<State, E>,
  state: State,
  event: RecordedEvent<E>,
): Divergence | undefined {
  const place = { stream: event.stream, revision: event.revision, type: event.type };
  const damage = workflow.damage(event);
  if (damage) return { ...place, ...damage, pointer: `/data${damage.pointer}` };
  if (workflow.pending(workflow.evolve(state, event)) === undefined) return undefined;
  const asked = workflow.pending(state);
  return { ...place, pointer: '/type', recorded: event.type, replayed: `an outcome of ${asked?.type}` };
}

function afterEnd({ stream, revision, type }: RecordedEvent): Divergence {
  return { stream, revision, type, pointer: '/type', recorded: type, replayed: undefined };
}
