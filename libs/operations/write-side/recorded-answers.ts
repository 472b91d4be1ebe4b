import { type EventLog, type ExpectedRevision, keyReused, RevisionConflict } from '#lib/event-store';
import { type Clock, type IdSource, isSameInput, type Json, type JsonObject } from '#lib/kernel';
import type { CallEvent } from './call.events.js';
import type { CommandContext } from './command-context.js';
import { RejectionError } from './rejection-error.js';
import { refuseErased } from './subjects.js';
import type { Written } from './written.js';

/** The record of a keyed call. */
interface RecordedCall<T> {
  readonly answer?: Written<T>;
  readonly bound?: Bound;
}

/** The target of a key, and the position of the event that records it. */
interface Bound {
  readonly target: JsonObject;
  readonly position: string;
}

/** Targets and answers of keyed calls, each call in a stream of its own: one answer at most. */
export class RecordedAnswers {
  constructor(
    private readonly log: EventLog,
    private readonly clock: Clock,
    private readonly ids: IdSource,
  ) {}

  /** @throws RejectionError when the key was answered before with another input */
  async find<T>({ commandId, fingerprint }: CommandContext): Promise<RecordedCall<T>> {
    const stream = this.log.streams.of('call', commandId);
    const events = await this.log.readStream<CallEvent>(stream, { isLikelyNew: true });
    const first = events.find((event) => event.type === 'KeyBound');
    const bound = first && { target: first.data.target, position: first.position };
    const recorded = events.find((event) => event.type === 'AnswerRecorded');
    if (!recorded) return { ...(bound && { bound }) };
    await refuseErased(this.log, recorded.metadata.keyId);
    const { status, body, fingerprint: before } = recorded.data;
    if (!isSameInput(fingerprint, before)) throw new RejectionError(keyReused());
    const answer = { value: body as T, position: recorded.position, created: status === 201 };
    return { ...(bound && { bound }), answer };
  }

  /** Records the first answer. @returns the recorded answer: of two that are recorded at once, the first */
  async record<T>(context: CommandContext, { value, created }: Written<T>): Promise<Written<T>> {
    const { fingerprint, operation = '' } = context;
    const status = created ? (201 as const) : (200 as const);
    const data = { operation, fingerprint: fingerprint?.text ?? '', status, body: value as Json };
    const event = { type: 'AnswerRecorded', data } as const;
    return this.#once(context, event, {
      written: (position) => ({ value, created, position }),
      found: ({ answer }: RecordedCall<T>) => answer,
    });
  }

  /** Records the first target. @returns the recorded target: of two that are recorded at once, the first */
  bind(context: CommandContext, target: JsonObject): Promise<Bound> {
    const event = { type: 'KeyBound', data: { operation: context.operation ?? '', target } } as const;
    return this.#once(context, event, {
      written: (position) => ({ target, position }),
      found: ({ bound }) => bound,
    });
  }

  /** Appends the event to its stream, unless an event that stands for it is there. */
  async #once<T, Result>(
    context: CommandContext,
    event: CallEvent,
    {
      written,
      found,
    }: {
      readonly written: (position: string) => Result;
      readonly found: (recorded: RecordedCall<T>) => Result | undefined;
    },
  ): Promise<Result> {
    const { commandId, actor, about } = context;
    const occurredAt = this.clock.now().toISOString();
    const metadata = { correlationId: commandId, commandId, actor, occurredAt };
    const stream = this.log.streams.of('call', commandId);
    let expected: ExpectedRevision = 'no-stream';
    for (;;) {
      const keyId = about.name;
      try {
        const eventId = this.ids.next();
        return written(
          (
            await this.log.append(stream, expected, [
              { eventId, event, metadata: { ...metadata, ...(keyId !== undefined && { keyId }) } },
            ])
          ).position,
        );
      } catch (error) {
        if (!(error instanceof RevisionConflict)) throw error;
        const recorded = found(await this.find<T>(context));
        if (recorded !== undefined) return recorded;
        expected = error.actual ?? 'no-stream';
      }
    }
  }
}
