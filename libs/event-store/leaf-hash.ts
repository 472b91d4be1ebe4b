import { createHash } from 'node:crypto';
import { sha256 } from '#lib/kernel';
import type { EventToStore } from './event-store.js';

/** An event in the form of a leaf: its stream without the prefix of the log, its texts as they are stored. */
export interface Leaf extends EventToStore {
  readonly stream: string;
  readonly revision: number;
}

/** A leaf of which only the hashes of the texts, in hex, are known. */
export type HashedLeaf = Omit<Leaf, 'data' | 'metadata'> & {
  readonly dataSha256: string;
  readonly metadataSha256: string;
};

const ZERO = Buffer.of(0);

/**
 * The hash of an event in the tree over a log, as 64 lower-case hexadecimal digits: SHA-256 of `0 ‖ stream ‖ 0 ‖ revision ‖ 0 ‖ eventId ‖ 0 ‖ type ‖
 * 0 ‖ SHA-256(data) ‖ SHA-256(metadata)`. Part of the format of history files and of seals: it never changes.
 */
export function leafHash({ data, metadata, ...event }: Leaf): string {
  return hashedLeaf({ ...event, dataSha256: sha256(data), metadataSha256: sha256(metadata) });
}

/** `leafHash` of an event of which only the hashes of the texts are known. */
export function hashedLeaf(leaf: HashedLeaf): string {
  const hash = createHash('sha256').update(ZERO);
  for (const part of [leaf.stream, String(leaf.revision), leaf.eventId, leaf.type]) {
    hash.update(part).update(ZERO);
  }
  return hash.update(leaf.dataSha256, 'hex').update(leaf.metadataSha256, 'hex').digest('hex');
}
