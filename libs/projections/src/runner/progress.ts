import type { ReadStore } from '../store/read-store.js';
import type { Change } from '../store/statement.js';
import { moveCheckpoint, readCheckpoints } from './checkpoints.js';
import type { Projection } from './projection.js';

/**
 * How far a projection has come in this process. Events that change no row move it in memory alone, where the store is not
 * shared with other machines; the stored checkpoint follows with the next rows, or by `store`. A process that dies in between
 * looks at those events again.
 */
export class Progress {
  #reached = '';
  #stored = '';
  #last: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly readStore: ReadStore,
    readonly projection: Projection,
    private readonly storesEachMove: boolean,
  ) {}

  /** Position of the last event that the projection has taken; "" before the first. */
  get reached(): string {
    return this.#reached;
  }

  /** The stored checkpoint, as far as this process knows it; "" while nothing counts as taken. */
  get stored(): string {
    return this.#reached === '' ? '' : this.#stored;
  }

  /** How far it is, given the stored checkpoint: one that lies behind what this process has stored was rewound. */
  reachedWith(checkpoint: string): string {
    return checkpoint < this.stored || checkpoint > this.#reached ? checkpoint : this.#reached;
  }

  /** Goes to the stored checkpoint, where that is not the one that this process has stored. */
  async load(): Promise<void> {
    const [checkpoint] = await readCheckpoints(this.readStore.db, [this.projection]);
    const position = checkpoint?.position ?? '';
    if (position !== this.#stored || this.#reached === '') this.#reached = position;
    this.#stored = position;
  }

  /** Until `load`, nothing counts as taken. A move that began before fails where the checkpoint was rewound. */
  forget(): void {
    this.#reached = '';
  }

  /** False, and nothing is kept, when another process has moved the checkpoint. @throws StoreUnavailable | ChangeRefused */
  move(to: string, changes: readonly Change[]): Promise<boolean> {
    if (changes.length > 0 || this.storesEachMove) return this.#inTurn(() => this.#write(to, changes));
    this.#reached = to;
    this.readStore.arrivals.announce();
    return Promise.resolve(true);
  }

  /** Stores a checkpoint that was moved in memory. @throws StoreUnavailable */
  async store(): Promise<void> {
    await this.#inTurn(async () => this.#reached <= this.#stored || this.#write(this.#reached, []));
  }

  async #write(to: string, changes: readonly Change[]): Promise<boolean> {
    const kept = await this.readStore.write([moveCheckpoint(this.projection, this.#stored, to), ...changes]);
    if (!kept) return false;
    this.#stored = to;
    if (to > this.#reached) this.#reached = to;
    return true;
  }

  #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const done = this.#last.then(work);
    this.#last = done.catch(() => undefined);
    return done;
  }
}
