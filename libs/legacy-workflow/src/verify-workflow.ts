import type { Event, RecordedEvent } from '#lib/kernel';
import { compareEvents, type Divergence, divergenceFromError } from '#lib/workflow';
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
 * JSON text of the data. Given events are taken from the record, if what they say of themselves holds. Never throws: an
 * event that the workflow's code cannot work with is a divergence like any other.
 */
export function verifyWorkflow<State, E extends Event>(
  workflow: Workflow<State, E>,
  [start, ...rest]: readonly RecordedEvent<E>[],
): Verification {
  if (!start) return { derived: 0, given: 0, open: true };
  const walk: Walk<State> = { derived: 0, given: 0, ended: false };
  for (const [place, event] of [start, ...rest].entries()) {
    const divergence = place === 0 ? begin(workflow, walk, event) : advance(workflow, walk, event);
    if (divergence) return { derived: walk.derived, given: walk.given, open: false, divergence };
  }
  return { derived: walk.derived, given: walk.given, open: !walk.ended };
}

interface Walk<State> {
  state?: State;
  derived: number;
  given: number;
  ended: boolean;
}

function begin<State, E extends Event>(
  workflow: Workflow<State, E>,
  walk: Walk<State>,
  start: RecordedEvent<E>,
): Divergence | undefined {
  if (start.type !== workflow.startType) return otherType(start, workflow.startType);
  try {
    walk.state = workflow.initialState(start);
    walk.given++;
    return undefined;
  } catch (error) {
    return divergenceFromError(start, error);
  }
}

function advance<State, E extends Event>(
  workflow: Workflow<State, E>,
  walk: Walk<State>,
  event: RecordedEvent<E>,
): Divergence | undefined {
  try {
    const state = walk.state as State;
    if (walk.ended) return otherType(event, undefined);
    const isGiven = workflow.pending(state) !== undefined;
    const divergence = isGiven ? checkGiven(workflow, state, event) : checkDerived(workflow, state, event);
    if (divergence) return divergence;
    walk.state = workflow.evolve(state, event);
    walk.ended = workflow.endTypes.includes(event.type);
    walk[isGiven ? 'given' : 'derived']++;
    return undefined;
  } catch (error) {
    return divergenceFromError(event, error);
  }
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
  const damage = workflow.damage(event);
  if (damage) return { ...placeOf(event), ...damage, pointer: `/data${damage.pointer}` };
  if (workflow.pending(workflow.evolve(state, event)) === undefined) return undefined;
  const asked = workflow.pending(state);
  return otherType(event, `an outcome of ${asked?.type}`);
}

function otherType(event: RecordedEvent, replayed: string | undefined): Divergence {
  return { ...placeOf(event), pointer: '/type', recorded: event.type, replayed };
}

function placeOf({ stream, revision, type }: RecordedEvent) {
  return { stream, revision, type };
}
