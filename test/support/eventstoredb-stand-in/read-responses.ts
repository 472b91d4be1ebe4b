import shared from '@eventstore/db-client/generated/shared_pb.js';
import type { ReadResp } from '@eventstore/db-client/generated/streams_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import type { Position, StoredEvent } from '#lib/event-store';
import { fromStore } from './proposed-event.js';
import { streamIdentifier } from './stream-name.js';
import { toWire } from './wire-position.js';

/** The messages of a read, for the log of this id. */
export class ReadResponses {
  constructor(private readonly logId: string) {}

  event(stored: StoredEvent): ReadResp {
    const { eventId, type, contentType, created, data, metadata } = fromStore(stored);
    const place = toWire(this.logId, stored.position);
    const recorded = new streams.ReadResp.ReadEvent.RecordedEvent()
      .setId(new shared.UUID().setString(eventId))
      .setStreamIdentifier(streamIdentifier(stored.stream))
      .setStreamRevision(String(stored.revision))
      .setCommitPosition(place)
      .setPreparePosition(place)
      .setData(Uint8Array.from(data))
      .setCustomMetadata(Uint8Array.from(metadata));
    recorded.getMetadataMap().set('type', type).set('created', created).set('content-type', contentType);
    const event = new streams.ReadResp.ReadEvent().setEvent(recorded).setCommitPosition(place);
    return new streams.ReadResp().setEvent(event);
  }

  confirmation(id: string): ReadResp {
    const confirmation = new streams.ReadResp.SubscriptionConfirmation().setSubscriptionId(id);
    return new streams.ReadResp().setConfirmation(confirmation);
  }

  checkpoint(position: Position): ReadResp {
    const place = toWire(this.logId, position);
    const checkpoint = new streams.ReadResp.Checkpoint().setCommitPosition(place).setPreparePosition(place);
    return new streams.ReadResp().setCheckpoint(checkpoint);
  }

  caughtUp(): ReadResp {
    return new streams.ReadResp().setCaughtUp(new streams.ReadResp.CaughtUp());
  }

  streamNotFound(stream: string): ReadResp {
    const notFound = new streams.ReadResp.StreamNotFound().setStreamIdentifier(streamIdentifier(stream));
    return new streams.ReadResp().setStreamNotFound(notFound);
  }
}
