import { setTimeout as delay } from 'node:timers/promises';
import { RedialError, thrownText } from '#lib/kernel';
import { createTables, type ReadStore } from '#lib/read-models';
import { HeldLease, type LeaseHolder } from '#lib/workflow';
import { deliveryTables } from './deliveries.tables.js';
import { forgetReaction, type KeptReaction, keptReactions } from './pending-deliveries.js';
import type { Reaction } from './reaction.js';
import { ReactionStream } from './reaction-stream.js';
import { ReactionTurn, type TurnParts } from './reaction-turn.js';
import { TakenOver } from './taken-over.js';

/** Looks of a process, within the life of a lease, whether it has become free. */
const LOOKS = 5;
const FIRST_RETRY_MS = 1_000;
const LAST_RETRY_MS = 60_000;

interface Parts extends TurnParts {
  readonly holder: LeaseHolder;
  /** Called once each time that a reaction begins to stand still. */
  readonly warn: (message: string) => void;
}

interface Running {
  readonly ended: Promise<void>;
  end(): void;
}

/** A reaction cannot be declared in this way. Found at start. */
export class InvalidReaction extends RedialError {}

/** The reactions of this process. Each is run by one process at a time, and by another once that one has gone. */
export class Reactions {
  readonly #running = new Map<string, Running>();
  /** The last runs of reactions that were ended: the next reaction of the name waits for it. */
  readonly #ending = new Map<string, Promise<void>>();
  readonly #failures = new Map<string, string>();

  constructor(private readonly parts: Parts) {}

  /** Why reactions of this process stand still, by their names. */
  get failures(): ReadonlyMap<string, string> {
    return this.#failures;
  }

  /** Makes the tables of a read store, if they are missing. @throws StoreUnavailable */
  static async prepare(store: ReadStore): Promise<void> {
    await store.write(createTables(deliveryTables));
  }

  /** A new reaction begins with the events after this call. @throws TakenOver if it has ended @throws ConflictNotSettled @throws StoreUnavailable */
  async begin({ name, life }: Pick<Reaction, 'name' | 'life'>): Promise<void> {
    const { log, time, ids } = this.parts;
    await new ReactionStream(log, time, ids, name, life).begun();
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
    const ending = new AbortController();
    const before = this.#ending.get(name) ?? Promise.resolve();
    const ended = before.then(() => this.#run(reaction, ending.signal));
    this.#running.set(name, { ended, end: () => ending.abort() });
  }

  /** The names of those that this process has started and not ended. */
  get names(): readonly string[] {
    return [...this.#running.keys()];
  }

  /** Stops reacting. The running deliveries are made to their end. */
  end(name: string): void {
    const running = this.#running.get(name);
    if (!running) return;
    this.#running.delete(name);
    running.end();
    this.#ending.set(name, running.ended);
    void running.ended.finally(() => {
      this.#failures.delete(name);
      if (this.#ending.get(name) === running.ended) this.#ending.delete(name);
    });
  }

  /**
   * Ends a reaction for good, whichever process runs it: its parked deliveries are dropped. A later reaction of its name continues.
   * @returns the position of its end; undefined if it never began @throws StoreUnavailable
   */
  async close({ name, life }: KeptReaction, by: string): Promise<string | undefined> {
    const { log, time, ids } = this.parts;
    const stream = new ReactionStream(log, time, ids, name);
    return stream.end({ name, life, by });
  }

  /** The reactions that have rows and whose names begin with this text. @throws StoreUnavailable */
  kept(beginning: string): Promise<readonly KeptReaction[]> {
    return keptReactions(this.parts.store, beginning);
  }

  /**
   * Removes the waiting deliveries of a reaction that has ended for good. A running delivery changes no row after that.
   * @throws StoreUnavailable
   */
  forget(reaction: KeptReaction): Promise<void> {
    return forgetReaction(this.parts.store, reaction);
  }

  /** Waits for the running handlers, at most this many milliseconds: unfinished deliveries are made again. */
  async stop(graceMs: number): Promise<void> {
    for (const name of this.names) this.end(name);
    await Promise.race([Promise.all(this.#ending.values()), delay(graceMs, undefined, { ref: false })]);
  }

  async #run(reaction: Reaction, signal: AbortSignal): Promise<void> {
    const pause = (ms: number) => delay(ms, undefined, { signal, ref: false }).catch(() => undefined);
    for (let retries = 0; !signal.aborted;) {
      try {
        const isMine = await this.#takeTurn(reaction, signal, () => {
          retries = 0;
          this.#failures.delete(reaction.name);
        });
        if (!isMine) await pause(this.parts.holder.ttlMs / LOOKS);
      } catch (error) {
        const isTakenOver = error instanceof TakenOver;
        if (!signal.aborted && !isTakenOver) this.#failed(reaction.name, error);
        await pause(isTakenOver ? FIRST_RETRY_MS : Math.min(FIRST_RETRY_MS * 2 ** retries++, LAST_RETRY_MS));
      }
    }
  }

  /** @returns false while another process has the reaction */
  async #takeTurn(reaction: Reaction, stopping: AbortSignal, going: () => void): Promise<boolean> {
    const turn = new AbortController();
    const end = () => turn.abort();
    const lease = await HeldLease.take(this.parts.holder, `reaction ${reaction.name}`, end);
    if (!lease) return false;
    stopping.addEventListener('abort', end);
    if (stopping.aborted) end();
    try {
      await new ReactionTurn(this.parts, reaction, lease).run(turn.signal, going);
      return true;
    } finally {
      stopping.removeEventListener('abort', end);
      await lease.release();
    }
  }

  #failed(name: string, error: unknown): void {
    const why = thrownText(error);
    if (!this.#failures.has(name))
      this.parts.warn(`The reaction ${name} stands still: ${why} It is tried again.`);
    this.#failures.set(name, why);
  }
}
