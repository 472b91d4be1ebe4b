import { setImmediate } from 'node:timers/promises';
import { type EventLog, isSealed, leafHash, type Position, SEALS, type StoredEvent } from '#lib/event-store';
import { RedialError } from '#lib/kernel';
import { BLOCK, type Seal } from './seal.js';
import type { LogSealed } from './seal.events.js';
import { Tree } from './tree.js';

/** An event of the tree. */
export interface PlacedLeaf {
  /** Its number in the tree, from 0. */
  readonly index: number;
  readonly hash: Buffer;
  /** Without the prefix of the log. */
  readonly stream: string;
  readonly revision: number;
  readonly position: Position;
}

/** A seal in its log. */
export type StoredSeal = Seal & { readonly position: string };

/** The last event of a seal is not in the log. */
export class SealedEventMissing extends RedialError {}

type Last = LogSealed['data']['last'];

/** Events that are read and hashed in a row. */
const PAGE = 128;
const PAGE_BYTES = 4 * 1024 * 1024;

/** The events of the tree after a position, up to and with `until`. Memory holds a page of them. */
export async function* leavesAfter(
  { store, streams }: Pick<EventLog, 'store' | 'streams'>,
  { position, index }: { readonly position: Position | undefined; readonly index: number },
  until?: Position,
): AsyncGenerator<PlacedLeaf> {
  let [from, next] = [position, index];
  for (;;) {
    const page = await store.readAll({ limit: PAGE, bytes: PAGE_BYTES, ...(from !== undefined && { from }) });
    for (const stored of page) {
      if (until !== undefined && stored.position > until) return;
      if (isSealed(streams, stored.stream))
        yield leafOf(stored, streams.withoutPrefix(stored.stream), next++);
    }
    from = page.at(-1)?.position;
    if (page.length === 0) return;
    // Reads of a log in files never wait: other work of the process has its turn here.
    await setImmediate();
  }
}

function leafOf(stored: StoredEvent, stream: string, index: number): PlacedLeaf {
  const { revision, position } = stored;
  return { index, hash: Buffer.from(leafHash({ ...stored, stream }), 'hex'), stream, revision, position };
}

/**
 * The seals of a log that were read: their numbers of events, and the roots over each 64 events. Memory holds
 * hash for each 64 events, and the last event of each seal.
 */
export class SealedLog {
  readonly #ends: { readonly events: number; readonly last: Last }[] = [];
  readonly #blocks: Buffer[] = [];
  #whole = new Tree();
  #loading: Promise<void> = Promise.resolve();
  #latest: StoredSeal | undefined;
  /** The events after the last whole block. In a seal they are a smaller block. */
  #open: { readonly events: number; readonly hashes: readonly Buffer[] } = { events: 0, hashes: [] };

  constructor(readonly log: EventLog) {}

  /** The last seal that was read. */
  get latest(): StoredSeal | undefined {
    return this.#latest;
  }

  get events(): number {
    return this.#ends.at(-1)?.events ?? 0;
  }

  /** The roots over each 64 events; the last may be over fewer. */
  get blocks(): readonly Buffer[] {
    return this.#blocks;
  }

  /** The tree of the whole blocks. */
  get whole(): Tree {
    return new Tree(this.#whole);
  }

  /** Reads the seals that were added since. Calls wait for each other. @throws StoreUnavailable @throws UndecodableEvent */
  load(): Promise<void> {
    const loaded = this.#loading.then(() => this.#load());
    this.#loading = loaded.catch(() => undefined);
    return loaded;
  }

  async #load(): Promise<void> {
    const { log } = this;
    for await (const event of log.each<LogSealed>(log.streams.of('log', SEALS), this.#ends.length)) {
      const { last, ...seal } = event.data;
      this.#blocks.length = Math.floor(this.events / BLOCK);
      for (const root of seal.subtrees) this.#blocks.push(Buffer.from(root, 'hex'));
      this.#ends.push({ events: seal.events, last });
      this.#latest = { ...seal, position: event.position };
      while (this.#whole.count < Math.floor(seal.events / BLOCK)) this.#addWhole();
    }
  }

  /** The start of the next seal: the position of the last sealed event, and the hashes of the events after the last whole block. */
  async end(): Promise<{ readonly position: Position | undefined; readonly open: readonly Buffer[] }> {
    const last = this.#ends.at(-1)?.last;
    const position = last && (await this.#positionOf(last));
    if (this.#open.events !== this.events) this.keepOpen(await this.#openLeaves());
    return { position, open: this.#open.hashes };
  }

  /** Keeps the hashes of the events after the last whole block, so that `end` does not read them again. */
  keepOpen(hashes: readonly Buffer[], events = this.events): void {
    this.#open = { events, hashes };
  }

  /** The events of the tree from a number on, before another. @throws SealedEventMissing */
  async *leavesFrom(index: number, until = this.events): AsyncGenerator<PlacedLeaf> {
    const before = this.#ends.findLast(({ events }) => events <= index);
    const position = before && (await this.#positionOf(before.last));
    for await (const leaf of leavesAfter(this.log, { position, index: before?.events ?? 0 })) {
      if (leaf.index >= until) return;
      if (leaf.index >= index) yield leaf;
    }
  }

  /** A number in the tree at or before that of an event at this position, at most one seal before it. @throws SealedEventMissing */
  async indexBefore(position: Position): Promise<number> {
    let [low, high] = [0, this.#ends.length];
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      const end = this.#ends[middle];
      if (end && (await this.#positionOf(end.last)) < position) low = middle + 1;
      else high = middle;
    }
    return this.#ends[low - 1]?.events ?? 0;
  }

  async #openLeaves(): Promise<readonly Buffer[]> {
    const begin = Math.floor(this.events / BLOCK) * BLOCK;
    const hashes: Buffer[] = [];
    if (begin === this.events) return hashes;
    for await (const { hash } of this.leavesFrom(begin)) hashes.push(hash);
    return hashes;
  }

  #addWhole(): void {
    const next = this.#blocks[this.#whole.count];
    if (next) this.#whole.add(next);
  }

  async #positionOf({ stream, revision }: Last): Promise<Position> {
    const { store, streams } = this.log;
    const [stored] = await store.readStream(streams.withPrefix(stream), { from: revision, limit: 1 });
    if (stored) return stored.position;
    const why = 'it is not in the log';
    throw new SealedEventMissing(`the sealed event ${stream} revision ${revision}`, why, 'Run redial verify');
  }
}
