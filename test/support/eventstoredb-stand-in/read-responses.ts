import shared from '@eventstore/db-client/generated/shared_pb.js';
import type { ReadResp } from '@eventstore/db-client/generated/streams_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import type { StoredEvent } from '#lib/event-store';
import { fromStore } from './proposed-event.js';
import { streamIdentifier } from './stream-name.js';
import type { WirePlaces } from './wire-places.js';

/** The messages of a read. */
export class ReadResponses {
  constructor(private readonly places: WirePlaces) {}

  /** @param target what the event links to, where links are resolved; `null` if that is gone */
  event(stored: StoredEvent, target?: StoredEvent | null): ReadResp {
    const event = new streams.ReadResp.ReadEvent().setCommitPosition(
      String(this.places.toWire(stored.position)),
    );
    if (target === undefined) event.setEvent(this.#recorded(stored));
    else event.setLink(this.#recorded(stored));
    if (target) event.setEvent(this.#recorded(target));
    return new streams.ReadResp().setEvent(event);
  }

  #recorded(stored: StoredEvent): ReadResp.ReadEvent.RecordedEvent {
    const { eventId, type, contentType, created, data, metadata } = fromStore(stored);
    const place = String(this.places.toWire(stored.position));
    const recorded = new streams.ReadResp.ReadEvent.RecordedEvent()
      .setId(new shared.UUID().setString(eventId))
      .setStreamIdentifier(streamIdentifier(stored.stream))
      .setStreamRevision(String(stored.revision))
      .setCommitPosition(place)
      .setPreparePosition(place)
      .setData(Uint8Array.from(data))
      .setCustomMetadata(Uint8Array.from(metadata));
    recorded.getMetadataMap().set('type', type).set('created', created).set('content-type', contentType);
    return recorded;
  }

  confirmation(id: string): ReadResp {
    const confirmation = new streams.ReadResp.SubscriptionConfirmation().setSubscriptionId(id);
    return new streams.ReadResp().setConfirmation(confirmation);
  }

  checkpoint(wire: bigint): ReadResp {
    const place = String(wire);
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
