import type { EventToStore, StoredEvent } from '#lib/event-store';

/** An event as it goes over the wire. */
export interface ProposedEvent {
  readonly eventId: string;
  readonly type: string;
  readonly contentType: string;
  readonly data: Uint8Array;
  readonly metadata: Uint8Array;
}

/** Members of the wire that the port does not have, kept in the metadata text of the stored event. */
interface Envelope {
  /** Where one append holds it twice: our port takes an id once, so the second one is kept under another. */
  readonly eventId?: string;
  readonly contentType: string;
  /** .NET ticks (100 ns) since the epoch. */
  readonly created: string;
  readonly dataIsBase64: boolean;
  readonly metadata: string;
}

const TICKS_PER_MS = 10_000n;

/** Bytes that are UTF-8 stay readable in the log; others go in as base64. @param keptAs another id, where its own is taken */
export function toStore(event: ProposedEvent, now: number, keptAs?: string): EventToStore {
  const { type, contentType, data, metadata } = event;
  const eventId = event.eventId.toLowerCase();
  const text = utf8Text(data);
  const envelope: Envelope = {
    ...(keptAs !== undefined && { eventId }),
    contentType,
    created: String(BigInt(now) * TICKS_PER_MS),
    dataIsBase64: text === undefined,
    metadata: Buffer.from(metadata).toString('base64'),
  };
  return {
    eventId: keptAs ?? eventId,
    type,
    data: text ?? Buffer.from(data).toString('base64'),
    metadata: JSON.stringify(envelope),
  };
}

export function fromStore(stored: StoredEvent): ProposedEvent & { readonly created: string } {
  const envelope = JSON.parse(stored.metadata) as Envelope;
  const { eventId = stored.eventId, contentType, created, dataIsBase64, metadata } = envelope;
  return {
    eventId,
    type: stored.type,
    contentType,
    created,
    data: Buffer.from(stored.data, dataIsBase64 ? 'base64' : 'utf8'),
    metadata: Buffer.from(metadata, 'base64'),
  };
}

function utf8Text(bytes: Uint8Array): string | undefined {
  const text = Buffer.from(bytes).toString('utf8');
  return Buffer.from(text, 'utf8').equals(bytes) ? text : undefined;
}
