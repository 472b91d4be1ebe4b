import { RedialError, sha256 } from '#lib/kernel';
import { RevisionConflict } from '../errors.js';
import type { EventStore } from '../event-store.js';
import type { StreamNames } from '../stream-names.js';
import { chunksOf, inAppends, textOfChunks } from './blob-chunks.js';
import type { Blob } from './move-large-members.js';

/** The category ends at the first dash of a name. A prefix has no dash; the ids of machines may have any character. */
const BLOB = /^[^-]*blob-/;

/** Whether a stream holds a blob, by its name: `<prefix>blob-<hash>`, for any prefix. Stores leave these streams out of reads of the whole log. */
export function isBlobStream(stream: string): boolean {
  return BLOB.test(stream);
}

/** The stream of a blob has other events than the blob's chunks. The blob cannot be stored there. */
export class BlobDamaged extends RedialError {}

/** The blobs of a log. Each has a stream that is named by its hash, so that the same text is stored once. */
export class BlobStreams {
  constructor(
    private readonly store: EventStore,
    private readonly names: StreamNames,
  ) {}

  /**
   * Stores a blob, or finds it stored. A blob that was begun and not finished is finished. Durable once it resolves.
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

  /** The text with this hash; `undefined` if it is missing or was changed. @throws StoreUnavailable */
  async read(hash: string): Promise<string | undefined> {
    const text = textOfChunks(await this.store.readStream(this.names.of('blob', hash)));
    return sha256(text) === hash ? text : undefined;
  }
}

/** Not a conflict, because `handleCommand` would decide again, which would not help. */
function damaged(stream: string, cause: RevisionConflict): BlobDamaged {
  return new BlobDamaged(
    `cannot store a large value in ${stream}`,
    'the stream does not hold the value that its name says',
    'Look for damage with `redial log check`, and restore the log from a backup',
    { cause },
  );
}
