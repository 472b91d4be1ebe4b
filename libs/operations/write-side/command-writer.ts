import {
  type Append,
  type Appended,
  type CommandAnswer,
  decideOn,
  type EventLog,
  handleCommand,
  keyReused,
  type NewEvent,
  plannedAppend,
  type StreamAppend,
  type StreamCategory,
  RevisionConflict,
  type StreamHistory,
  toCopyAgain,
} from '#lib/event-store';
import {
  type Clock,
  type Command,
  type CommandEnvelope,
  type Decider,
  type Event,
  isRejection,
  isSameInput,
  present,
  type RecordedEvent,
} from '#lib/kernel';
import type { WrittenPosition } from '../read-side/written-position.js';
import type { CommandContext } from './command-context.js';
import { RejectionError } from './rejection-error.js';
import { erased, refuseErased, refuseErasedStream } from './subjects.js';

/** The stream a command goes to. */
export interface Target {
  readonly category: StreamCategory;
  readonly id: string;
}

/** The categories of streams that get the subject of the call which begins them. All others have no subject. */
const OF_SUBJECTS: ReadonlySet<StreamCategory> = new Set(['session', 'conversation', 'task']);

/** Sends commands to deciders: the one door to the log for everything but workflows. */
export class CommandWriter {
  constructor(
    private readonly log: EventLog,
    private readonly clock: Clock,
    private readonly written: WrittenPosition,
  ) {}

  /** The time with which a command that is sent now is recorded, ISO 8601. */
  now(): string {
    return this.clock.now().toISOString();
  }

  /**
   * @param append as for `handleCommand`
   * @throws RejectionError | ConflictNotSettled | StoreUnavailable: nothing was written then
   */
  async send<State, C extends Command, E extends Event>(
    decider: Decider<State, C, E>,
    target: Target,
    command: C,
    context: CommandContext,
    append?: Append<E>,
  ): Promise<CommandAnswer<State, E>> {
    const [stream, envelope] = this.#addressed(target, context);
    // Calls of the engine itself have no operation: they record the end of their work also in a stream whose subject is erased.
    if (context.operation !== undefined) await refuseErasedStream(this.log, stream, context);
    const answer = await handleCommand(this.log, decider, stream, command, envelope, append);
    if (isRejection(answer)) throw new RejectionError(answer);
    this.written.note(answer.position, answer.events);
    context.written.note(answer.position);
    context.about.note(answer.events[0]?.metadata.keyId);
    return answer;
  }

  /**
   * Begins a stream with copies of events of another one and with the events of a command on them, in one append. If the same call has made
   * the stream meanwhile in another process, that stream is answered: its events have other times, so this append is no repeat.
   * @param copies with the stream and the revisions that they get
   * @returns the revision of the command's last event
   * @throws RejectionError @throws AppendTooLarge @throws StoreUnavailable
   */
  async fork<State, C extends Command, E extends Event>(
    decider: Decider<State, C, E>,
    target: Target,
    copies: StreamHistory<E>,
    command: C,
    context: CommandContext,
  ): Promise<number> {
    const [stream, envelope] = this.#addressed(target, context);
    const subject = copies.events[0]?.metadata.keyId;
    await refuseErased(this.log, subject);
    context.about.note(subject);
    const digest = await this.log.keys.digestOf(subject);
    const decided = decideOn(decider, stream, copies, command, envelope, digest);
    if (isRejection(decided)) throw new RejectionError(decided);
    const events = [...toCopyAgain(copies.events), ...decided.events] as NewEvent<E>[];
    try {
      const { revision, position, events: recorded } = await this.log.append<E>(stream, 'no-stream', events);
      this.written.note(position, recorded);
      context.written.note(position);
      return revision;
    } catch (error) {
      const made = error instanceof RevisionConflict ? await this.forkedBefore(target, context) : undefined;
      if (made === undefined) throw error;
      return made;
    }
  }

  /**
   * @returns the revision at which this call forked this stream before, if it did
   * @throws RejectionError when the key came with another input
   */
  async forkedBefore({ category, id }: Target, context: CommandContext): Promise<number | undefined> {
    const history = await this.log.load(this.log.streams.of(category, id));
    const made = checkKeyIn(history, context).at(-1);
    if (made) context.written.note(made.position);
    return made?.revision;
  }

  /** The append that `send` would make, when it is known without a read (`plannedAppend`). Once it is made, `made` follows. */
  plan<State, C extends Command, E extends Event>(
    decider: Decider<State, C, E>,
    target: Target,
    command: C,
    context: CommandContext,
  ): StreamAppend<NewEvent<E>> | undefined {
    const [stream, envelope] = this.#addressed(target, context);
    return plannedAppend(this.log, decider, stream, command, envelope);
  }

  /** The append of `plan` was made: queries of this process wait for it. @returns its events */
  made({ position, events }: Appended): Appended['events'] {
    this.written.note(position, events);
    return events;
  }

  #addressed({ category, id }: Target, context: CommandContext): readonly [string, CommandEnvelope] {
    const { commandId, fingerprint, actor, causationId, traceparent, about } = context;
    const occurredAt = this.now();
    const envelope = { commandId, fingerprint, correlationId: id, causationId, actor, occurredAt };
    const keyId = OF_SUBJECTS.has(category) ? about.name : undefined;
    return [
      this.log.streams.of(category, id),
      {
        ...envelope,
        ...present({ traceparent, keyId }),
      },
    ];
  }

  /**
   * Refuses a key that came before with another input. It is called before anything else is looked up.
   * @throws RejectionError
   */
  async checkKey({ category, id }: Target, context: CommandContext): Promise<void> {
    if (context.keyed) checkKeyIn(await this.log.load(this.log.streams.of(category, id)), context);
  }

  /**
   * Binds the key of a call to the stream that its body names. A body that names another stream would not find the command that came first
   * there.
   * @throws RejectionError when the key came with a body that names another stream
   */
  async bindKey({ category, id }: Target, { keyed, target }: CommandContext): Promise<void> {
    if (!keyed) return;
    const stream = `${category}-${id}`;
    await target.bind(() => Promise.resolve({ stream }), { stream });
  }

  /** The state for a command that is sent now: it has every acknowledged event. */
  async state<State, C extends Command, E extends Event>(
    decider: Decider<State, C, E>,
    { category, id }: Target,
  ): Promise<State> {
    return (await this.log.load<E>(this.log.streams.of(category, id))).state(decider);
  }
}

/**
 * As `checkKey`, in a stream that is loaded.
 * @returns the events of the call, if it came before
 * @throws RejectionError when the key came with another input, or its call was about a subject that was erased since
 */
export function checkKeyIn<E extends Event>(
  history: StreamHistory<E>,
  { keyed, commandId, fingerprint }: CommandContext,
): readonly RecordedEvent<E>[] {
  const events = keyed ? history.ofCommand(commandId) : [];
  const [{ metadata } = {}] = events;
  // The fingerprint is erased with the key of its subject.
  if (metadata?.erased) throw new RejectionError(erased(metadata.keyId ?? ''));
  if (metadata && !isSameInput(fingerprint, metadata.commandFingerprint))
    throw new RejectionError(keyReused());
  return events;
}
