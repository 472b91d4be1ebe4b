import { RedialError, sha256 } from '#lib/kernel';
import { RevisionConflict } from '../errors.js';
import type { EventStore } from '../event-store.js';
import type { StreamNames } from '../stream-names.js';
import { chunksOf, inAppends, textOfChunks } from './blob-chunks.js';
import type { Blob } from './move-large-members.js';

/** The category of a name is what ends at its first dash; prefixes hold none, and machines may be called anything. */
const BLOB = /^[^-]*blob-/;

/**
 * Whether a stream holds a blob, by its name: `<prefix>blob-<hash>`, whatever the prefix. Stores leave these streams out of
 * what they show of the whole log.
 */
export function isBlobStream(stream: string): boolean {
  return BLOB.test(stream);
}

/** A blob's stream holds other events than its chunks. Nothing can be stored there. */
export class BlobDamaged extends RedialError {}

/** The blobs of a log: a stream for each, named by its hash, so that the same text is stored once. */
export class BlobStreams {
  constructor(
    private readonly store: EventStore,
    private readonly names: StreamNames,
  ) {}

  /**
   * Stores a blob, or finds it stored; one that was begun and never finished is finished. Durable once it resolves.
   * @throws BlobDamaged @throws StoreUnavailable
   */
  async write(blob: Blob): Promise<void> {
    const stream = this.names.of('blob', blob.sha256);
    let last = -1;
    for (const chunks of inAppends(stream, chunksOf(blob))) {
      try {
        await this.store.append(stream, last < 0 ? 'no-stream' : last, chunks);
      } catch (error) {
        throw error instanceof RevisionConflict ? damaged(stream, error) : error;
      }
      last += chunks.length;
    }
  }

  /** The text that has this hash; `undefined` if it is not there as it was stored. @throws StoreUnavailable */
  async read(hash: string): Promise<string | undefined> {
    const text = textOfChunks(await this.store.readStream(this.names.of('blob', hash)));
    return sha256(text) === hash ? text : undefined;
  }
}

/** No conflict for `handleCommand`: deciding again would not help. */
function damaged(stream: string, cause: RevisionConflict): BlobDamaged {
  return new BlobDamaged(
    `cannot store a large value in ${stream}`,
    'the stream holds something else than what its name says',
    'Look for damage with `redial log check`, and restore the log from a backup',
    { cause },
  );
}
