import type { ReadStore } from '../store/read-store.js';
import type { Change } from '../store/statement.js';
import { moveCheckpoint, readCheckpoints } from './checkpoints.js';
import type { Projection } from './projection.js';

/**
 * How far a projection has come in this process. Events that change no row move it in memory alone; the stored checkpoint
 * follows with the next rows, or by `storeTogether`. A process that dies in between looks at those events again.
 */
export class Progress {
  #reached = '';
  #stored = '';
  #last: Promise<unknown> = Promise.resolve();
  #waiting = 0;

  /** @param onAhead called when it moves in memory alone */
  constructor(
    private readonly readStore: ReadStore,
    readonly projection: Projection,
    private readonly onAhead: () => void = () => undefined,
  ) {}

  /**
   * Stores the checkpoints that were moved in memory in one transaction, but for those of projections that are being written:
   * no projection waits for another. If one of them was rewound, each is stored separately. @throws StoreUnavailable
   */
  static async storeTogether(readStore: ReadStore, all: readonly Progress[]): Promise<void> {
    const ahead = all.filter((one) => one.isAhead && one.#waiting === 0);
    if (ahead.length === 0) return;
    const moves = ahead.map((one) => ({ one, to: one.#reached }));
    const changes = moves.map(({ one, to }) => moveCheckpoint(one.projection, one.#stored, to));
    const writing = readStore.write(changes);
    const turns = moves.map(({ one, to }) =>
      one.#inTurn(async () => {
        if (await writing) one.#stored = to;
      }),
    );
    await Promise.all(turns);
    if (!(await writing)) await Promise.all(ahead.map((one) => one.store()));
  }

  /** Position of the last event that the projection has taken; "" before the first. */
  get reached(): string {
    return this.#reached;
  }

  /** The stored checkpoint, as far as this process knows it; "" while nothing counts as taken. */
  get stored(): string {
    return this.#reached === '' ? '' : this.#stored;
  }

  /** Whether the stored checkpoint is behind. */
  get isAhead(): boolean {
    return this.#reached > this.#stored;
  }

  /** How far it is, given the stored checkpoint: one that lies behind what this process has stored was rewound. */
  reachedWith(checkpoint: string): string {
    return checkpoint < this.stored || checkpoint > this.#reached ? checkpoint : this.#reached;
  }

  /** Goes to the stored checkpoint, if that is not the one that this process has stored. */
  async load(): Promise<void> {
    const [checkpoint] = await readCheckpoints(this.readStore.db, [this.projection]);
    const position = checkpoint?.position ?? '';
    if (position !== this.#stored || this.#reached === '') this.#reached = position;
    this.#stored = position;
  }

  /** Until `load`, nothing counts as taken. A move that began before fails if the checkpoint was rewound. */
  forget(): void {
    this.#reached = '';
  }

  /** False, and nothing is kept, when another process has moved the checkpoint. @throws StoreUnavailable | ChangeRefused */
  move(to: string, changes: readonly Change[]): Promise<boolean> {
    if (changes.length > 0) return this.#inTurn(() => this.#write(to, changes));
    this.#reached = to;
    this.readStore.arrivals.announce();
    this.onAhead();
    return Promise.resolve(true);
  }

  /** Stores a checkpoint that was moved in memory. @throws StoreUnavailable */
  async store(): Promise<void> {
    await this.#inTurn(async () => !this.isAhead || this.#write(this.#reached, []));
  }

  async #write(to: string, changes: readonly Change[]): Promise<boolean> {
    const kept = await this.readStore.write([moveCheckpoint(this.projection, this.#stored, to), ...changes]);
    if (!kept) return false;
    this.#stored = to;
    if (to > this.#reached) this.#reached = to;
    // The store announces the commit before it is known here: a wait for this position would look again only at its next poll.
    this.readStore.arrivals.announce();
    return true;
  }

  #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#waiting += 1;
    const done = this.#last.then(work).finally(() => (this.#waiting -= 1));
    this.#last = done.catch(() => undefined);
    return done;
  }
}
