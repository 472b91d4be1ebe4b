import { createHash } from 'node:crypto';
import { sha256 } from '#lib/kernel';
import type { EventToStore } from './event-store.js';

/** An event as a leaf has it: its stream without the prefix of the log, its texts as they are stored. */
export interface Leaf extends EventToStore {
  readonly stream: string;
  readonly revision: number;
}

/** The hashes of an event's texts, in hex, where only they are known. */
export type HashedLeaf = Omit<Leaf, 'data' | 'metadata'> & {
  readonly dataSha256: string;
  readonly metadataSha256: string;
};

const ZERO = Buffer.of(0);

/**
 * The hash of an event in the tree over a log, as 64 lower-case hexadecimal digits: SHA-256 of
 * `0 ‖ stream ‖ 0 ‖ revision ‖ 0 ‖ eventId ‖ 0 ‖ type ‖ 0 ‖ SHA-256(data) ‖ SHA-256(metadata)`. Part of the format of history files
 * and of seals: it never changes.
 */
export function leafHash({ data, metadata, ...event }: Leaf): string {
  return hashedLeaf({ ...event, dataSha256: sha256(data), metadataSha256: sha256(metadata) });
}

/** The same of an event of whose texts only the hashes are known. */
export function hashedLeaf(leaf: HashedLeaf): string {
  const hash = createHash('sha256').update(ZERO);
  for (const part of [leaf.stream, String(leaf.revision), leaf.eventId, leaf.type]) {
    hash.update(part).update(ZERO);
  }
  return hash.update(leaf.dataSha256, 'hex').update(leaf.metadataSha256, 'hex').digest('hex');
}
