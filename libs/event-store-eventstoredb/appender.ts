import { randomUUID } from 'node:crypto';
import {
  AppendTooLarge,
  type EventToStore,
  LARGEST_APPEND,
  Patience,
  RevisionConflict,
} from '#lib/event-store';
import { attemptMs } from './attempt-settings.js';
import { type AppendAnswer, appendAnswer } from './append-answer.js';
import type { AppendChannel } from './append-channel.js';
import type { EventReader } from './event-reader.js';
import { mayPass, wasNotTaken } from './grpc-failure.js';
import { answerOrLook, lookFor } from './slow-append.js';
import { outcomeUnknown, unavailable } from './unavailable.js';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import streams, { type BatchAppendReq } from '@eventstore/db-client/generated/streams_pb.js';
import { withCorrelation } from './correlation-metadata.js';
import { streamIdentifier } from './stream-identifier.js';

type Stored = Extract<AppendAnswer, { kind: 'stored' }>;
type Decided = Exclude<AppendAnswer, { kind: 'undecided' }>;
/** `again`: whether another attempt makes sense. */
type Unanswered = { readonly kind: 'unanswered'; readonly cause: unknown; readonly again: boolean };

/**
 * Appends at a stated revision. An append with an unknown outcome is made again, with the same ids at the same revision. Then the server says that it
 * was stored, stores it now, or finds other events in its place.
 */
export class Appender {
  constructor(
    private readonly channel: AppendChannel,
    private readonly reader: EventReader,
  ) {}

  get #server(): string {
    return this.reader.server;
  }

  /**
   * @param after the revision of the stream's last event; `undefined` if there is no stream
   * @throws RevisionConflict @throws AppendTooLarge @throws StoreUnavailable
   */
  async append(stream: string, after: number | undefined, events: readonly EventToStore[]): Promise<Stored> {
    const patience = new Patience(this.reader.settings.patienceMs);
    let unknown: unknown;
    for (;;) {
      const answer = await this.#attempt(stream, after, events, patience);
      if (answer.kind !== 'unanswered') return this.#settled(answer, stream, after);
      if (!wasNotTaken(answer.cause)) unknown = answer.cause;
      if (!answer.again || patience.isOver) {
        if (unknown !== undefined) throw outcomeUnknown(this.#server, unknown);
        throw unavailable('cannot append to', this.#server, answer.cause);
      }
      await patience.pause();
    }
  }

  async #attempt(
    stream: string,
    after: number | undefined,
    events: readonly EventToStore[],
    patience: Patience,
  ): Promise<Decided | Unanswered> {
    const id = randomUUID();
    const request = appendRequest(id, stream, after, events);
    const sent = this.channel.send(id, request, attemptMs(this.reader.settings, patience));
    try {
      const look = lookFor(this.reader, stream, after, events);
      const answer = await answerOrLook(sent.answer.then(appendAnswer), look);
      if (answer.kind !== 'undecided') return answer;
      return { kind: 'unanswered', cause: answer.failure, again: true };
    } catch (cause) {
      return { kind: 'unanswered', cause, again: mayPass(cause) };
    } finally {
      sent.forget();
    }
  }

  #settled(answer: Decided, stream: string, after: number | undefined): Stored {
    if (answer.kind === 'stored') return answer;
    if (answer.kind === 'conflict') {
      throw new RevisionConflict(stream, after ?? 'no-stream', answer.actual);
    }
    if (answer.kind === 'refused') throw unavailable('cannot append to', this.#server, answer.failure);
    throw new AppendTooLarge(
      `cannot append to ${stream}`,
      `EventStoreDB at ${this.#server} takes ${answer.largest} bytes in one append, and Redial needs up to ${LARGEST_APPEND}`,
      'Nothing was written. Set MaxAppendSize of the server to its default of 1 MiB, or higher',
    );
  }
}

/**
 * One append as one message, without a deadline: the server applies its own write timeout. `after` is the revision the stream must have; `undefined`
 * means that there must be no stream.
 */
function appendRequest(
  correlationId: string,
  stream: string,
  after: number | undefined,
  events: readonly EventToStore[],
): BatchAppendReq {
  const options = new streams.BatchAppendReq.Options().setStreamIdentifier(streamIdentifier(stream));
  if (after === undefined) options.setNoStream(new shared.Empty());
  else options.setStreamPosition(String(after));
  return new streams.BatchAppendReq()
    .setCorrelationId(new shared.UUID().setString(correlationId))
    .setOptions(options)
    .setProposedMessagesList(events.map((event) => proposedMessage(event, stream)))
    .setIsFinal(true);
}

function proposedMessage(
  { eventId, type, data, metadata }: EventToStore,
  stream: string,
): BatchAppendReq.ProposedMessage {
  const message = new streams.BatchAppendReq.ProposedMessage()
    .setId(new shared.UUID().setString(eventId))
    .setData(Buffer.from(data, 'utf8'))
    .setCustomMetadata(Buffer.from(withCorrelation(metadata, stream), 'utf8'));
  message.getMetadataMap().set('type', type).set('content-type', 'application/json');
  return message;
}
