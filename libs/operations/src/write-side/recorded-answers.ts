import { type EventLog, keyReused, RevisionConflict } from '#lib/event-store';
import { type Clock, type IdSource, type Json } from '#lib/kernel';
import type { CommandContext } from './command-context.js';
import type { AnswerRecorded } from './call.events.js';
import type { Written } from './written.js';
import { RejectionError } from './rejection-error.js';

/** Answers to keyed calls, each in a stream of its own: at most one for a call. */
export class RecordedAnswers {
  constructor(
    private readonly log: EventLog,
    private readonly clock: Clock,
    private readonly ids: IdSource,
  ) {}

  /** @throws RejectionError when the key came before with another input */
  async find<T>({ commandId, fingerprint }: CommandContext): Promise<Written<T> | undefined> {
    const [event] = await this.log.readStream<AnswerRecorded>(this.log.streams.of('call', commandId));
    if (!event) return undefined;
    const { status, body, fingerprint: before } = event.data;
    if (before !== fingerprint) throw new RejectionError(keyReused());
    return { value: body as T, position: event.position, created: status === 201 };
  }

  /** Records the first answer. @returns the recorded answer: of two that are recorded at once, the first */
  async record<T>(context: CommandContext, { value, created }: Written<T>): Promise<Written<T>> {
    const { commandId, fingerprint, actor, operation = '' } = context;
    const data = {
      operation,
      fingerprint,
      status: created ? (201 as const) : (200 as const),
      body: value as Json,
    };
    const envelope = { correlationId: commandId, commandId, actor };
    const metadata = { ...envelope, occurredAt: this.clock.now().toISOString() };
    const event = {
      eventId: this.ids.next(),
      event: { type: 'AnswerRecorded', data },
      metadata,
    };
    try {
      const { position } = await this.log.append(this.log.streams.of('call', commandId), 'no-stream', [
        event,
      ]);
      return { value, created, position };
    } catch (error) {
      const recorded = error instanceof RevisionConflict ? await this.find<T>(context) : undefined;
      if (recorded) return recorded;
      throw error;
    }
  }
}
