import type { SqlValue } from '../store/columns.js';

/** The values of a row by their members. */
export type StoredRecord = Readonly<Record<string, SqlValue>>;

/** A document in memory, or the fact that no row has its id. */
export interface Entry<Doc extends object> {
  readonly id: string;
  doc: Doc | undefined;
  /** Its stored row; absent if it has none. */
  stored: StoredRecord | undefined;
  /** Its row once the page is stored. */
  next: StoredRecord | undefined;
  isChanged: boolean;
}

/** Bytes of an entry without its texts and bytes. */
const ENTRY_BYTES = 500;

/** Documents of one kind. The least recently used leave memory: there are two generations of at most `mostBytes` each. */
export class Cache<Doc extends object> {
  #young = new Map<string, Entry<Doc>>();
  #old = new Map<string, Entry<Doc>>();
  #bytes = 0;

  constructor(private readonly mostBytes: number) {}

  get(id: string): Entry<Doc> | undefined {
    const young = this.#young.get(id);
    if (young) return young;
    const old = this.#old.get(id);
    if (old) this.set(old);
    return old;
  }

  set(entry: Entry<Doc>): void {
    this.#young.set(entry.id, entry);
    this.#bytes += sizeOf(entry);
  }

  delete(id: string): void {
    this.#young.delete(id);
    this.#old.delete(id);
  }

  /** Called between pages only: no changed document may leave memory. */
  trim(): void {
    if (this.#bytes <= this.mostBytes) return;
    this.#old = this.#young;
    this.#young = new Map();
    this.#bytes = 0;
  }

  clear(): void {
    this.#young.clear();
    this.#old.clear();
    this.#bytes = 0;
  }
}

function sizeOf({ stored = {} }: Entry<object>): number {
  let bytes = ENTRY_BYTES;
  for (const member in stored) {
    const value = stored[member];
    if (typeof value === 'string') bytes += 2 * value.length;
    else if (Buffer.isBuffer(value)) bytes += value.length;
  }
  return bytes;
}
