import shared from '@eventstore/db-client/generated/shared_pb.js';
import type { BatchAppendReq } from '@eventstore/db-client/generated/streams_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import type { EventToStore } from '#lib/event-store';
import { withCorrelation } from './correlation-metadata.js';
import { streamIdentifier } from './stream-identifier.js';

/** The server counts by its own clock, which may be ahead of ours, and has a limit of its own: so this one is far off. */
const SERVER_DEADLINE_S = 3600;
/** A `deadline` without content, as it goes over the wire. The class behind it belongs to a package of the client's. */
const EMPTY_DEADLINE = Uint8Array.of(0x32, 0);

/** One append as one message. `after` is the revision the stream must have, `undefined` that there must be no stream. */
export function appendRequest(
  correlationId: string,
  stream: string,
  after: number | undefined,
  events: readonly EventToStore[],
): BatchAppendReq {
  const options = streams.BatchAppendReq.Options.deserializeBinary(EMPTY_DEADLINE);
  options.getDeadline()?.setSeconds(Math.floor(Date.now() / 1000) + SERVER_DEADLINE_S);
  options.setStreamIdentifier(streamIdentifier(stream));
  if (after === undefined) options.setNoStream(new shared.Empty());
  else options.setStreamPosition(String(after));
  return new streams.BatchAppendReq()
    .setCorrelationId(new shared.UUID().setString(correlationId))
    .setOptions(options)
    .setProposedMessagesList(events.map(proposedMessage))
    .setIsFinal(true);
}

function proposedMessage({ eventId, type, data, metadata }: EventToStore): BatchAppendReq.ProposedMessage {
  const message = new streams.BatchAppendReq.ProposedMessage()
    .setId(new shared.UUID().setString(eventId))
    .setData(Buffer.from(data, 'utf8'))
    .setCustomMetadata(Buffer.from(withCorrelation(metadata), 'utf8'));
  message.getMetadataMap().set('type', type).set('content-type', 'application/json');
  return message;
}
