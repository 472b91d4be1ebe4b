import { parseJsonObject } from '#lib/kernel';
import { blobReferences } from '../blobs/put-back.js';
import type { StoredEvent } from '../event-store.js';
import type { StreamNames } from '../stream-names.js';

/** The streams of the large bodies that this event refers to, each once, in the order it names them. */
export function blobStreamsOf(names: StreamNames, { metadata }: StoredEvent): readonly string[] {
  // Parsing every event's metadata would be most of the work of a copy.
  if (!metadata.includes('"blobs"')) return [];
  const blobs = blobReferences(parseJsonObject(metadata) ?? {}) ?? [];
  return [...new Set(blobs.map(({ sha256 }) => names.of('blob', sha256)))];
}
