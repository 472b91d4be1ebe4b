import { commandEventIds, type Digest, idInStream } from '#lib/event-store';
import { type Command, type Decider, type Event, fold, isRejection, type RecordedEvent } from '#lib/kernel';
import { compareEvents, type Divergence, divergenceFromError } from '#lib/workflow';

/** The result of deciding every command of a stream again. */
interface DecisionsVerified {
  readonly derived: number;
  readonly divergence?: Divergence;
}

/**
 * Rebuilds each command of a stream from its events, decides it again on the history before it, and compares. Every event of a decider's stream is
 * derived: none is taken from the record.
 * @param copied the number of first events that were copied from another stream: they are taken as they are
 * @param digest that of the stream's subject
 */
export function verifyDecisions<State, C extends Command, E extends Event>(
  decider: Decider<State, C, E>,
  history: readonly RecordedEvent<E>[],
  copied = 0,
  digest?: Digest,
): DecisionsVerified {
  let state = fold(decider, history.slice(0, copied));
  let derived = 0;
  for (const recorded of commandsOf(history.slice(copied))) {
    const divergence = verifyCommand(decider, recorded, state, digest);
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
  digest?: Digest,
): Divergence | undefined {
  const [first] = recorded;
  if (!first) return undefined;
  try {
    const command = rebuilt(decider, first, recorded);
    const decision = command ? decider.decide(command, state) : [];
    const ids = commandEventIds(command ?? NO_COMMAND, first.metadata, digest);
    return firstDivergence(recorded, isRejection(decision) ? [] : decision, ids);
  } catch (error) {
    return divergenceFromError(first, error);
  }
}

/** Replaces a command of which nothing was kept: its events have no counterparts. */
const NO_COMMAND: Command = { type: '', data: {} };

function rebuilt<State, C extends Command, E extends Event>(
  decider: Decider<State, C, E>,
  { metadata: { command }, stream }: RecordedEvent<E>,
  recorded: readonly RecordedEvent<E>[],
): C | undefined {
  return command === undefined ? undefined : decider.rebuild(command, recorded, idInStream(stream));
}

/** The events of a decider's stream, grouped by command. */
export function* commandsOf<E extends Event>(
  history: readonly RecordedEvent<E>[],
): Generator<readonly RecordedEvent<E>[], undefined> {
  for (let from = 0, end = 0; from < history.length; from = end) {
    const id = history[from]?.metadata.commandId;
    end = from + 1;
    while (end < history.length && history[end]?.metadata.commandId === id) end += 1;
    yield history.slice(from, end);
  }
  return undefined;
}

/**
 * Compares the events of one command. A command that cannot be rebuilt or is refused gives no events, so its first recorded event has no counterpart.
 */
function firstDivergence<E extends Event>(
  recorded: readonly RecordedEvent<E>[],
  replayed: readonly E[],
  idOf: (index: number) => string,
): Divergence | undefined {
  for (const [index, event] of recorded.entries()) {
    const found = compareEvents(event, replayed[index]) ?? wrongId(event, idOf(index));
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

/** The divergence if the command that was rebuilt from the events is not the one that was decided: an event was changed. */
function wrongId({ stream, revision, type, eventId: recorded }: RecordedEvent, replayed: string) {
  return recorded === replayed
    ? undefined
    : { stream, revision, type, pointer: '/eventId', recorded, replayed };
}
