import shared from '@eventstore/db-client/generated/shared_pb.js';
import type { BatchAppendReq } from '@eventstore/db-client/generated/streams_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import type { EventToStore } from '#lib/event-store';
import { withCorrelation } from './correlation-metadata.js';
import { streamIdentifier } from './stream-identifier.js';

/** One append as one message, without a deadline: the server applies its own write timeout. `after` is the revision the stream must have, `undefined` that there must be no stream. */
export function appendRequest(
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
