import type { ReadStore } from '../store/read-store.js';
import { moveCheckpoint } from './checkpoints.js';
import type { Projection } from './projection.js';

interface Move {
  readonly projection: Projection;
  readonly from: string;
  readonly to: string;
  readonly resolve: (kept: boolean) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Checkpoints that move and take no rows with them: most projections take no notice of most events. Those that move in one
 * turn of the process move in one transaction; where one of them may not, or is locked, each moves in its own.
 */
export class CheckpointMoves {
  #waiting: Move[] = [];

  constructor(private readonly store: ReadStore) {}

  /** False when the checkpoint was not at `from`. @throws StoreUnavailable */
  move(projection: Projection, from: string, to: string): Promise<boolean> {
    if (this.#waiting.length === 0) setImmediate(() => void this.#makeWaiting());
    return new Promise((resolve, reject) => {
      this.#waiting.push({ projection, from, to, resolve, reject });
    });
  }

  async #makeWaiting(): Promise<void> {
    // In one order everywhere: processes that lock the same rows in another order would block each other.
    const moves = this.#waiting.toSorted((a, b) => (a.projection.name < b.projection.name ? -1 : 1));
    this.#waiting = [];
    // What stands in the way of all of them, an outage too, each finds for itself.
    if (moves.length > 1 && (await this.#make(moves).catch(() => false))) {
      for (const { resolve } of moves) resolve(true);
    } else for (const move of moves) this.#make([move]).then(move.resolve, move.reject);
  }

  #make(moves: readonly Move[]): Promise<boolean> {
    return this.store.write(moves.map(({ projection, from, to }) => moveCheckpoint(projection, from, to)));
  }
}
