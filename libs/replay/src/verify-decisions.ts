import { commandEventId } from '#lib/event-store';
import { type Command, type Decider, type Event, fold, isRejection, type RecordedEvent } from '#lib/kernel';
import { compareEvents, type Divergence, divergenceFromError } from '#lib/workflow';

/** The result of deciding every command of a stream again. */
export interface DecisionsVerified {
  readonly derived: number;
  readonly divergence?: Divergence;
}

/**
 * Rebuilds each command of a stream from its events, decides it again on the history before it, and compares. Every event
 * of a decider's stream is derived: there is nothing to take on trust.
 */
export function verifyDecisions<State, C extends Command, E extends Event>(
  decider: Decider<State, C, E>,
  history: readonly RecordedEvent<E>[],
): DecisionsVerified {
  let state = decider.initialState;
  let derived = 0;
  while (derived < history.length) {
    const recorded = ofOneCommand(history, derived);
    const divergence = verifyCommand(decider, recorded, state);
    if (divergence) return { derived: divergence.revision, divergence };
    state = fold(decider, recorded, state);
    derived += recorded.length;
  }
  return { derived };
}

function verifyCommand<State, C extends Command, E extends Event>(
  decider: Decider<State, C, E>,
  recorded: readonly RecordedEvent<E>[],
  state: State,
): Divergence | undefined {
  try {
    return firstDivergence(recorded, decideAgain(decider, recorded, state));
  } catch (error) {
    const [first] = recorded;
    return first && divergenceFromError(first, error);
  }
}

function ofOneCommand<E extends Event>(
  history: readonly RecordedEvent<E>[],
  from: number,
): readonly RecordedEvent<E>[] {
  const id = history[from]?.metadata.commandId;
  let end = from + 1;
  while (end < history.length && history[end]?.metadata.commandId === id) end += 1;
  return history.slice(from, end);
}

/** A command that cannot be rebuilt or is refused now gives nothing: the first recorded event has no counterpart then. */
function decideAgain<State, C extends Command, E extends Event>(
  decider: Decider<State, C, E>,
  recorded: readonly RecordedEvent<E>[],
  state: State,
): readonly E[] {
  const kept = recorded[0]?.metadata.command;
  if (kept === undefined) return [];
  const decision = decider.decide(decider.rebuild(kept, recorded), state);
  return isRejection(decision) ? [] : decision;
}

function firstDivergence<E extends Event>(
  recorded: readonly RecordedEvent<E>[],
  replayed: readonly E[],
): Divergence | undefined {
  for (const [index, event] of recorded.entries()) {
    const found = compareEvents(event, replayed[index]) ?? wrongId(event, index);
    if (found) return found;
  }
  const last = recorded.at(-1);
  const absent = replayed[recorded.length];
  if (!last || !absent) return undefined;
  return {
    stream: last.stream,
    revision: last.revision + 1,
    type: absent.type,
    pointer: '/type',
    recorded: undefined,
    replayed: absent.type,
  };
}

function wrongId(event: RecordedEvent, index: number): Divergence | undefined {
  const { stream, revision, type, eventId: recorded } = event;
  const replayed = commandEventId(event.metadata, index);
  return recorded === replayed
    ? undefined
    : { stream, revision, type, pointer: '/eventId', recorded, replayed };
}
