import type { Needs } from '../event-codec.js';
import type { StoredEvent } from '../event-store.js';

type Texts = Pick<StoredEvent, 'data' | 'metadata'>;

/** The size without blobs. */
export function storedSize({ data, metadata }: Texts): number {
  return data.length + metadata.length;
}

export function textSize(events: readonly Texts[]): number {
  return events.reduce((sum, event) => sum + storedSize(event), 0);
}

/** The size with blobs. */
export function sizeOf(stored: readonly Texts[], needs: readonly Needs[]): number {
  return needs.flatMap(({ blobs }) => blobs).reduce((sum, { bytes }) => sum + bytes, textSize(stored));
}
