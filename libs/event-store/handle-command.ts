import {
  type Command,
  type CommandEnvelope,
  type Decider,
  derivedId,
  type Event,
  type EventMetadata,
  fold,
  isRejection,
  isSameInput,
  jsonText,
  type RecordedEvent,
  RedialError,
  reject,
  type Rejection,
  sha256,
} from '#lib/kernel';
import { RevisionConflict } from './errors.js';
import type { NewEvent } from './event-codec.js';
import type { Appended, EventLog } from './event-log.js';
import type { StreamAppend } from './event-store.js';
import { Patience } from './patience.js';
import type { StreamHistory } from './stream-history.js';
import { idInStream } from './stream-names.js';
import type { Digest } from './subjects/keyring.js';

/** The result of an accepted command. */
export interface CommandAnswer<State, E extends Event> {
  /** The events of this command as they are recorded; none if there was nothing to do. */
  readonly events: readonly RecordedEvent<E>[];
  /** The state right after these events. */
  readonly state: State;
  /** The time of the events, in ISO 8601; for a repeated command, of the first time. */
  readonly occurredAt: string;
  /** The revision of the last event that `state` holds; -1 for an empty stream. */
  readonly revision: number;
  /** The position of the last of these events; `undefined` without events. */
  readonly position: string | undefined;
  /** Whether the command was accepted before under the same id. */
  readonly repeated: boolean;
}

/** Makes a decided append. @throws RevisionConflict */
export type Append<E extends Event> = (append: StreamAppend<NewEvent<E>>) => Promise<Appended<E>>;

/** Other writers won every attempt. No event was written. */
export class ConflictNotSettled extends RedialError {
  override readonly answer = { status: 409, code: 'conflict-not-settled' };
}

/** The default of `withPatience`. */
const PATIENCE_MS = 30_000;

/**
 * The write side, in order: load the stream, fold it, look for the command's id in it, decide, append at the loaded revision. A revision conflict is
 * retried only here, by loading and deciding again. A command that is complete without the state is first tried on the stream in memory. Only a
 * successful append proves that this stream was current: if the command is refused there, or has nothing to do, it is decided again on the loaded
 * stream.
 * @param append makes the first try's append, and may append more with it
 * @throws ConflictNotSettled if conflicts outlast the `Patience` of the call.
 */
export async function handleCommand<State, C extends Command, E extends Event>(
  log: EventLog,
  decider: Decider<State, C, E>,
  stream: string,
  command: C,
  envelope: CommandEnvelope,
  append: Append<E> = appendTo(log),
): Promise<CommandAnswer<State, E> | Rejection> {
  const known = log.known<E>(stream);
  if (known && completed(decider, command, known) === command) {
    const early = await tryOn(log, append, decider, stream, known, command, envelope);
    if ('events' in early && early.position !== undefined) return early;
  }
  const patience = new Patience(PATIENCE_MS);
  let completeCommand: C | undefined;
  for (;;) {
    const history = await log.load<E>(stream);
    completeCommand ??= completed(decider, command, history);
    const answer = await tryOn(log, appendTo(log), decider, stream, history, completeCommand, envelope);
    if (!(answer instanceof RevisionConflict)) return answer;
    if (patience.isOver) throw notSettled(command, answer);
    await patience.pause();
  }
}

function appendTo<E extends Event>(log: EventLog): Append<E> {
  return ({ stream, expected, events }) => log.append<E>(stream, expected, events);
}

function notSettled({ type }: Command, cause: RevisionConflict): ConflictNotSettled {
  return new ConflictNotSettled(
    `${type} on ${cause.stream}`,
    'other writers appended to the stream first, every time',
    'Nothing was written: send the command again',
    { cause },
  );
}

function completed<State, C extends Command, E extends Event>(
  decider: Decider<State, C, E>,
  command: C,
  history: StreamHistory<E>,
): C {
  return decider.complete?.(command, history.state(decider)) ?? command;
}

/** The recorded answer, or the decision, once it is appended after this history. */
async function tryOn<State, C extends Command, E extends Event>(
  log: EventLog,
  append: Append<E>,
  decider: Decider<State, C, E>,
  stream: string,
  history: StreamHistory<E>,
  command: C,
  envelope: CommandEnvelope,
): Promise<CommandAnswer<State, E> | Rejection | RevisionConflict> {
  const digest = await log.keys.digestOf(subjectOf(history, envelope));
  const decided = decideOn(decider, stream, history, command, envelope, digest);
  if (!('expected' in decided)) return decided;
  // The next command for a stream is likely to come to the process that began the stream.
  if (decided.expected === 'no-stream') log.keepNew(stream);
  try {
    const appended = await append(decided);
    const state = fold(decider, appended.events, history.state(decider));
    return { ...appended, state, occurredAt: envelope.occurredAt, repeated: false };
  } catch (error) {
    if (error instanceof RevisionConflict) return error;
    throw error;
  }
}

/** The recorded answer, a refusal, an answer without events, or the append after this history. */
export function decideOn<State, C extends Command, E extends Event>(
  decider: Decider<State, C, E>,
  stream: string,
  history: StreamHistory<E>,
  command: C,
  envelope: CommandEnvelope,
  digest: Digest = sha256,
): CommandAnswer<State, E> | Rejection | StreamAppend<NewEvent<E>> {
  const recorded = recordedAnswer(decider, history, envelope);
  if (recorded) return recorded;
  const state = history.state(decider);
  const events = decider.decide(command, state);
  if (isRejection(events)) return events;
  const { occurredAt } = envelope;
  const { revision } = history;
  if (events.length === 0)
    return { events: [], state, occurredAt, revision, position: undefined, repeated: false };
  const expected = revision < 0 ? 'no-stream' : revision;
  const keyId = subjectOf(history, envelope);
  const about = { ...envelope, ...(keyId !== undefined && { keyId }) };
  return { stream, expected, events: toAppend(decider, stream, command, events, about, digest) };
}

/** The subject of a stream is that of its first event. */
function subjectOf({ events: [first] }: StreamHistory, { keyId }: CommandEnvelope): string | undefined {
  return first ? first.metadata.keyId : keyId;
}

/**
 * The append with which `handleCommand` would begin, on the stream in memory; `undefined` if it would append nothing, or load the stream first. If
 * the append fails, the caller sends the command, which finds the recorded answer or decides again.
 */
export function plannedAppend<State, C extends Command, E extends Event>(
  log: EventLog,
  decider: Decider<State, C, E>,
  stream: string,
  command: C,
  envelope: CommandEnvelope,
): StreamAppend<NewEvent<E>> | undefined {
  const known = log.known<E>(stream);
  if (!known || completed(decider, command, known) !== command) return undefined;
  const digest = log.keys.digestAtHand(subjectOf(known, envelope));
  if (!digest) return undefined;
  const decided = decideOn(decider, stream, known, command, envelope, digest);
  return 'expected' in decided ? decided : undefined;
}

function toAppend<State, C extends Command, E extends Event>(
  decider: Decider<State, C, E>,
  stream: string,
  command: C,
  events: readonly E[],
  { fingerprint, ...envelope }: CommandEnvelope,
  digest: Digest,
): NewEvent<E>[] {
  const metadata = { ...envelope, ...(fingerprint && { commandFingerprint: fingerprint.text }) };
  const idOf = commandEventIds(command, envelope, digest);
  const recorded = decider.record(command, events, idInStream(stream));
  return events.map((event, index) => ({
    eventId: idOf(index),
    event,
    metadata: { ...metadata, ...(index === 0 && { command: recorded }) },
  }));
}

/**
 * The ids of a command's events. A repeated append is recognized by them. They follow from the command's content and time, so of two commands that
 * race under one id, the second meets a conflict and then finds the first. A replay compares them to see whether the command that it rebuilds is the
 * one that was decided.
 * @param digest that of the stream's subject
 * @throws TypeError if the command's id is not a UUID
 */
export function commandEventIds(
  { type, data }: Command,
  { commandId = '', occurredAt }: Pick<EventMetadata, 'commandId' | 'occurredAt'>,
  digest: Digest = sha256,
): (index: number) => string {
  const members = Object.entries(data).toSorted(([one], [other]) => (one < other ? -1 : 1));
  const content = digest(jsonText([type, Object.fromEntries(members)]));
  return (index) => derivedId(commandId, `${content} ${occurredAt} ${index}`);
}

function recordedAnswer<State, C extends Command, E extends Event>(
  decider: Decider<State, C, E>,
  history: StreamHistory<E>,
  { commandId, fingerprint }: CommandEnvelope,
): CommandAnswer<State, E> | Rejection | undefined {
  const events = history.ofCommand(commandId);
  const last = events.at(-1);
  if (!last) return undefined;
  if (!isSameInput(fingerprint, last.metadata.commandFingerprint)) return keyReused();
  const { revision, position, occurredAt } = last;
  return {
    events,
    state: history.upTo(revision).state(decider),
    occurredAt,
    revision,
    position,
    repeated: true,
  };
}

/** The rejection of a key that was used before with another body. */
export function keyReused(): Rejection {
  return reject('refused', 'idempotency-key-reused', {
    what: 'the command was refused',
    why: 'its idempotency key came before with another body',
    fix: 'Use a fresh key for a new command, or repeat the old one unchanged',
  });
}
