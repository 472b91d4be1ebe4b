import type { ReadResp } from '@eventstore/db-client/generated/streams_pb.js';
import { formatPosition, type StoredEvent } from '#lib/event-store';
import { withoutCorrelation } from './correlation-metadata.js';

/** The position that servers before 22.6 give for an event that is read from its stream. */
const NO_POSITION = String(2n ** 64n - 1n);

/** An event of the server, in the form of the port. @throws Error from a server that leaves out the event's position */
export function storedEvent(logId: string, event: ReadResp.ReadEvent): StoredEvent {
  const recorded = event.getEvent();
  const sequence = recorded?.getCommitPosition() ?? NO_POSITION;
  if (recorded === undefined || sequence === NO_POSITION) throw new Error('it is older than version 22.6');
  const stream = textOf(recorded.getStreamIdentifier()?.getStreamName_asU8() ?? new Uint8Array());
  return {
    eventId: recorded.getId()?.getString() ?? '',
    type: recorded.getMetadataMap().get('type') ?? '',
    data: textOf(recorded.getData_asU8()),
    metadata: withoutCorrelation(textOf(recorded.getCustomMetadata_asU8()), stream),
    stream,
    revision: Number(recorded.getStreamRevision()),
    position: formatPosition(logId, BigInt(sequence)),
  };
}

function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
}
