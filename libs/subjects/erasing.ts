import { setTimeout as delay } from 'node:timers/promises';
import type { Position } from '#lib/event-store';
import { RedialError, thrownText } from '#lib/kernel';
import { ProjectionBehind } from '#lib/read-models';
import { type LeaseHolder, underLease } from '#lib/workflow';
import { destroyKey, endErasure, type ErasureParts, refilled } from './erasure.js';
import { erasureIn } from './subject.decider.js';
import type { SubjectEvent } from './subject.events.js';
import { erasedSubjects, erasingSubjects, lastErased } from './subjects.read-model.js';

const LOOK_MS = 5_000;
/** The longest time that a stop waits for rows. */
const ROWS_MS = 1_000;
/** The pause between two looks whether another process has ended an erasure. */
const AGAIN_MS = 100;
/** The longest time that a caller waits; the erasure goes on. */
const LONGEST_WAIT_MS = 300_000;

/** The erasure takes longer than a caller waits. */
class ErasureGoesOn extends RedialError {
  override readonly answer = { status: 503, code: 'erasing' };
}

interface Parts extends ErasureParts {
  readonly holder: LeaseHolder;
  /** Called once each time that erasing begins to fail. */
  readonly warn: (message: string) => void;
}

/** The head of the log and the last erasure when keys and rows were last checked. */
interface Look {
  readonly head: Position | undefined;
  /** The number of the erasure that began last. */
  readonly erasure: number | undefined;
}

/** Ends erasures, each in one process at a time: those that are asked for here, and those that other processes left unfinished. */
export class Erasing {
  readonly #stopping = new AbortController();
  /** Subjects whose erasure is asked for here. */
  readonly #asked = new Set<string>();
  /** Subjects whose key is destroyed and whose rows are still to be filled again. */
  readonly #ending = new Set<string>();
  #running: Promise<void> = Promise.resolve();
  /** Fills rows again beside the looks: keys do not wait for it. */
  #filling: Promise<unknown> | undefined;
  /** Ends the filling of restored rows: an erasure fills all rows again itself. */
  #restoring = new AbortController();
  #wake: () => void = () => undefined;
  #hasFailed = false;
  /** Set once no restored keys or rows are left. */
  #lastLook: Look | undefined;
  #takesOver = true;

  constructor(private readonly parts: Parts) {}

  /**
   * @param takesOver whether it also ends erasures that other processes have begun. `false` for a copy, whose log must stay as it was
   * copied: there only keys and rows lose erased content.
   */
  start(takesOver: boolean): void {
    this.#takesOver = takesOver;
    this.#running = this.#run();
  }

  /** Waits for the running step. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
    await this.#filling;
  }

  /**
   * Resolves once this process or another one has ended the erasure: then the memory of this process holds no content about the subject.
   * @throws ErasureGoesOn @throws StoreUnavailable
   */
  async ended(subject: string): Promise<void> {
    const until = performance.now() + LONGEST_WAIT_MS;
    if (!this.#asked.has(subject)) this.#restoring.abort();
    this.#asked.add(subject);
    this.#wake();
    while (!(await this.#hasEnded(subject))) {
      if (this.#stopping.signal.aborted || performance.now() > until) throw goesOn(subject);
      await delay(AGAIN_MS);
    }
    this.parts.log.keys.forget(subject);
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      const woken = new AbortController();
      this.#wake = () => woken.abort();
      await this.#look().catch((error: unknown) => this.#failed(error));
      const ended = AbortSignal.any([signal, woken.signal]);
      await delay(LOOK_MS, undefined, { signal: ended, ref: false }).catch(() => undefined);
    }
  }

  /** Destroys the keys of all unfinished erasures, also while rows cannot be filled again or one erasure cannot go on. */
  async #look(): Promise<void> {
    const leftBehind = this.#takesOver ? await erasingSubjects(this.parts.rows.db) : [];
    const failures: unknown[] = [];
    for (const subject of new Set([...this.#asked, ...leftBehind]))
      await this.#begin(subject).catch((error: unknown) => failures.push(error));
    this.#filling ??= this.#endAll()
      .then(() => (this.#hasFailed &&= failures.length > 0))
      .catch((error: unknown) => this.#failed(error))
      .finally(() => (this.#filling = undefined));
    if (failures.length > 0) throw failures[0];
  }

  async #begin(subject: string): Promise<void> {
    if (await this.#hasEnded(subject)) {
      this.#asked.delete(subject);
    } else {
      await this.#destroyKey(subject);
      this.#ending.add(subject);
    }
  }

  /** One after the other, also those that are added meanwhile: each fills all rows again from the start. */
  async #endAll(): Promise<void> {
    for (const subject of this.#ending) {
      if (!(await this.#hasEnded(subject))) await this.#end(subject);
      this.#ending.delete(subject);
    }
    // More erasures may still be copied to a copy.
    if (!this.#lastLook || !this.#takesOver) await this.#lookForRestored();
    if (this.#ending.size > 0) return this.#endAll();
  }

  /** Whether the rows have all erased subjects; asked again while they are filled. */
  async #hasRows(): Promise<boolean> {
    try {
      await this.parts.projections.caughtUpWithHead(ROWS_MS, ['subjects']);
      return true;
    } catch (error) {
      if (!(error instanceof ProjectionBehind)) throw error;
      return false;
    }
  }

  /** Restored keys and rows may be older than erasures in the log. Without new events, only the head of the log is read. */
  async #lookForRestored(): Promise<void> {
    const head = await this.parts.log.store.head();
    if ((this.#lastLook && this.#lastLook.head === head) || !(await this.#hasRows())) return;
    const last = await lastErased(this.parts.rows.db, this.#takesOver);
    const isNew = !this.#lastLook || this.#lastLook.erasure !== last?.number;
    if (isNew && !(await this.#endRestored(last?.subject))) return;
    if (!this.#stopping.signal.aborted) this.#lastLook = { head, erasure: last?.number };
  }

  /** @param subject whose erasure began last @returns whether no restored keys or rows are left */
  async #endRestored(subject: string | undefined): Promise<boolean> {
    await this.#destroyRestoredKeys();
    const erased = subject === undefined ? undefined : erasureIn(await this.#eventsOf(subject));
    const areOlder = erased && !(await this.parts.projections.wereFilledAfter(erased.position));
    return !areOlder || (await this.#refillRestored());
  }

  /** @returns whether all rows were filled again, and neither another process does it nor an erasure of this one cut it off */
  async #refillRestored(): Promise<boolean> {
    this.#restoring = new AbortController();
    const ended = AbortSignal.any([this.#stopping.signal, this.#restoring.signal]);
    const refill = () => refilled(this.parts, ended);
    try {
      return (await underLease(this.parts.holder, 'rows before erasures', refill)) !== undefined;
    } catch (error) {
      if (this.#restoring.signal.aborted) return false;
      throw error;
    }
  }

  async #destroyRestoredKeys(): Promise<void> {
    const { keys, rows, clock } = this.parts;
    const { signal } = this.#stopping;
    for (let named = await erasedSubjects(rows.db, ''); named.length > 0;) {
      if (signal.aborted) return;
      for (const subject of await keys.havingKeys(named)) {
        await keys.erase(subject, clock.now().toISOString());
        this.parts.log.keys.forget(subject);
      }
      named = await erasedSubjects(rows.db, named.at(-1) ?? '');
    }
  }

  /** Skipped while another process destroys the key. */
  async #destroyKey(subject: string): Promise<void> {
    if ((await this.parts.keys.havingKeys([subject])).length === 0) return;
    const work = () => destroyKey(this.parts, subject, this.#stopping.signal);
    await underLease(this.parts.holder, `erasure ${subject}`, work);
  }

  /** Skipped while another process ends the erasure. */
  async #end(subject: string): Promise<void> {
    const work = () => endErasure(this.parts, subject, this.#stopping.signal);
    await underLease(this.parts.holder, `erasure ${subject}`, work);
  }

  async #hasEnded(subject: string): Promise<boolean> {
    const events = await this.#eventsOf(subject);
    return !erasureIn(events) || events.some(({ type }) => type === 'SubjectErasureEnded');
  }

  #eventsOf(subject: string) {
    const { log } = this.parts;
    return log.readStream<SubjectEvent>(log.streams.of('subject', subject));
  }

  #failed(error: unknown): void {
    const why = thrownText(error);
    if (!this.#hasFailed && !this.#stopping.signal.aborted)
      this.parts.warn(`An erasure has not ended: ${why}. It is tried again.`);
    this.#hasFailed = true;
  }
}

function goesOn(subject: string): ErasureGoesOn {
  const why = 'its rows are still filled again without its content';
  return new ErasureGoesOn(`subject ${subject}`, why, 'It goes on by itself: ask again later');
}
