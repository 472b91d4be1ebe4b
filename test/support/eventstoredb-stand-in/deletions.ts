import type { StoredEvent } from '#lib/event-store';
import { parseJsonObject } from '#lib/kernel';

/** Metadata streams say which events of a stream count, and whether it was deleted. */
export const METADATA_PREFIX = '$$';
export const METADATA_TYPE = '$metadata';
export const TOMBSTONE_TYPE = '$streamDeleted';

/** `$tb` of a stream that was soft-deleted and not written since: the largest revision there is. */
export const ALL_TRUNCATED = '{"$tb":9223372036854775807}';

interface Deletion {
  /** Events below this revision are not read any more. */
  readonly truncateBefore: number;
  /** Only so many of its last events are read, and only for so many seconds. */
  readonly maxCount: number;
  readonly maxAgeS: number;
  readonly tombstoned: boolean;
}

const NOTHING: Deletion = {
  truncateBefore: 0,
  maxCount: Infinity,
  maxAgeS: Infinity,
  tombstoned: false,
};

/** Which streams were deleted, and how: a fold of the metadata streams in the log. */
export class Deletions {
  readonly #streams = new Map<string, Deletion>();

  apply({ stream, type, data }: Pick<StoredEvent, 'stream' | 'type' | 'data'>): void {
    if (!stream.startsWith(METADATA_PREFIX)) return;
    const name = stream.slice(METADATA_PREFIX.length);
    const before = this.of(name);
    if (type === TOMBSTONE_TYPE) this.#streams.set(name, { ...before, tombstoned: true });
    if (type === METADATA_TYPE) this.#streams.set(name, { ...limitsIn(data), tombstoned: before.tombstoned });
  }

  of(stream: string): Deletion {
    return this.#streams.get(stream) ?? NOTHING;
  }

  isSoftDeleted(stream: string): boolean {
    return this.of(stream).truncateBefore > Number.MAX_SAFE_INTEGER;
  }
}

function limitsIn(metadata: string): Omit<Deletion, 'tombstoned'> {
  const values = parseJsonObject(metadata) ?? {};
  const number = (name: string, absent: number) => {
    const value = values[name];
    return typeof value === 'number' ? value : absent;
  };
  return {
    truncateBefore: number('$tb', 0),
    maxCount: number('$maxCount', Infinity),
    maxAgeS: number('$maxAge', Infinity),
  };
}
