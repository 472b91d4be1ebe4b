import { setTimeout as delay } from 'node:timers/promises';
import { RedialError } from '#lib/kernel';
import { createTables, type ReadStore } from '#lib/read-models';
import { HeldLease, type LeaseHolder } from '#lib/workflow';
import { deliveriesTable, placesTable } from './deliveries.tables.js';
import type { Reaction } from './reaction.js';
import { ReactionStream } from './reaction-stream.js';
import { ReactionTurn, type TurnParts } from './reaction-turn.js';

/** How often within the life of a lease a process looks whether it has become free. */
const LOOKS = 5;
const FIRST_RETRY_MS = 1_000;
const LAST_RETRY_MS = 60_000;

interface Parts extends TurnParts {
  readonly holder: LeaseHolder;
  /** Called once for each time that a reaction begins to stand still. */
  readonly warn: (message: string) => void;
}

/** A reaction cannot be declared so. Found at start. */
export class InvalidReaction extends RedialError {}

/** The reactions of this process. Each is run by one process at a time, and by another once that one has gone. */
export class Reactions {
  readonly #stopping = new AbortController();
  readonly #running = new Map<string, Promise<void>>();
  readonly #failures = new Map<string, string>();

  constructor(private readonly parts: Parts) {}

  /** Why reactions of this process stand still, by their names. */
  get failures(): ReadonlyMap<string, string> {
    return this.#failures;
  }

  /** Makes the tables of a read store, where there are none. @throws StoreUnavailable */
  static async prepare(store: ReadStore): Promise<void> {
    await store.write(createTables([placesTable, deliveriesTable]));
  }

  /** A new reaction begins with the events after this call. @throws ConflictNotSettled @throws StoreUnavailable */
  async begin({ name }: Reaction): Promise<void> {
    const { log, time, ids } = this.parts;
    await new ReactionStream(log, time, ids, name).begun();
  }

  /** Starts to react. @throws InvalidReaction if there is one of this name */
  start(reaction: Reaction): void {
    const { name } = reaction;
    if (this.#running.has(name))
      throw new InvalidReaction(
        `reaction ${name}`,
        'there is another one of this name',
        'Rename one of them',
      );
    this.#running.set(name, this.#run(reaction));
  }

  /** Waits for the handlers that run, but not longer than so many milliseconds: what they do not finish comes again. */
  async stop(graceMs: number): Promise<void> {
    this.#stopping.abort();
    await Promise.race([Promise.all(this.#running.values()), delay(graceMs, undefined, { ref: false })]);
  }

  async #run(reaction: Reaction): Promise<void> {
    const { signal } = this.#stopping;
    const pause = (ms: number) => delay(ms, undefined, { signal, ref: false }).catch(() => undefined);
    for (let retries = 0; !signal.aborted;) {
      try {
        const isMine = await this.#takeTurn(reaction, () => {
          retries = 0;
          this.#failures.delete(reaction.name);
        });
        if (!isMine) await pause(this.parts.holder.ttlMs / LOOKS);
      } catch (error) {
        this.#failed(reaction.name, error);
        await pause(Math.min(FIRST_RETRY_MS * 2 ** retries++, LAST_RETRY_MS));
      }
    }
  }

  /** @returns false while another process has the reaction */
  async #takeTurn(reaction: Reaction, going: () => void): Promise<boolean> {
    const turn = new AbortController();
    const end = () => turn.abort();
    const lease = await HeldLease.take(this.parts.holder, `reaction ${reaction.name}`, end);
    if (!lease) return false;
    this.#stopping.signal.addEventListener('abort', end);
    if (this.#stopping.signal.aborted) end();
    try {
      await new ReactionTurn(this.parts, reaction, lease).run(turn.signal, going);
      return true;
    } finally {
      this.#stopping.signal.removeEventListener('abort', end);
      await lease.release();
    }
  }

  #failed(name: string, error: unknown): void {
    const why = error instanceof Error ? error.message : String(error);
    if (!this.#failures.has(name) && !this.#stopping.signal.aborted)
      this.parts.warn(`The reaction ${name} stands still: ${why} It is tried again.`);
    this.#failures.set(name, why);
  }
}
