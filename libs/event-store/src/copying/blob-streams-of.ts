import { isJsonObject, parseJsonObject } from '#lib/kernel';
import type { StoredEvent } from '../event-store.js';
import type { StreamNames } from '../stream-names.js';

/** The streams of the large bodies that this event refers to, each once, in the order it names them. */
export function blobStreamsOf(names: StreamNames, { metadata }: StoredEvent): readonly string[] {
  // Parsing every event's metadata would be most of the work of a copy.
  if (!metadata.includes('"blobs"')) return [];
  const encoding: unknown = parseJsonObject(metadata)?.['encoding'];
  const blobs: unknown = isJsonObject(encoding) ? encoding['blobs'] : undefined;
  const hashes = (Array.isArray(blobs) ? blobs : []).flatMap((blob: unknown) =>
    isJsonObject(blob) && typeof blob['sha256'] === 'string' ? [blob['sha256']] : [],
  );
  return [...new Set(hashes)].map((hash) => names.of('blob', hash));
}
