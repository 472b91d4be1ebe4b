import { setTimeout as delay } from 'node:timers/promises';
import { RedialError } from '#lib/kernel';
import { type LeaseHolder, underLease } from '#lib/workflow';
import { endErasure, type ErasureParts } from './erasure.js';
import { erasureIn } from './subject.decider.js';
import type { SubjectEvent } from './subject.events.js';
import { erasingSubjects } from './subjects.read-model.js';

const LOOK_MS = 5_000;
/** How often a call looks whether another process has ended its erasure. */
const AGAIN_MS = 100;
/** A caller waits no longer; the erasure goes on. */
const LONGEST_WAIT_MS = 300_000;

/** The erasure takes longer than a caller waits. */
class ErasureGoesOn extends RedialError {
  override readonly answer = { status: 503, code: 'erasing' };
}

interface Parts extends ErasureParts {
  readonly holder: LeaseHolder;
  /** Called once for each time that erasing begins to fail. */
  readonly warn: (message: string) => void;
}

/** Brings erasures to their end, each in one process at a time: those that are asked for here, and those that a process left behind. */
export class Erasing {
  readonly #stopping = new AbortController();
  #running: Promise<void> = Promise.resolve();
  #hasFailed = false;

  constructor(private readonly parts: Parts) {}

  start(): void {
    this.#running = this.#run();
  }

  /** Waits for the step that is being made. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }

  /** Resolves once the erasure has ended, by this process or another one. @throws ErasureGoesOn @throws StoreUnavailable */
  async ended(subject: string): Promise<void> {
    const until = performance.now() + LONGEST_WAIT_MS;
    while (!(await this.#hasEnded(subject))) {
      if (this.#stopping.signal.aborted || performance.now() > until) throw goesOn(subject);
      if (!(await this.#end(subject))) await delay(AGAIN_MS, undefined, { ref: false });
    }
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      await this.#look().catch((error: unknown) => this.#failed(error));
      await delay(LOOK_MS, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  async #look(): Promise<void> {
    for (const subject of await erasingSubjects(this.parts.rows.db)) {
      if (!(await this.#hasEnded(subject))) await this.#end(subject);
    }
    this.#hasFailed = false;
  }

  /** False while another process does it. */
  async #end(subject: string): Promise<boolean> {
    const { holder } = this.parts;
    const work = () => endErasure(this.parts, subject, this.#stopping.signal);
    return (await underLease(holder, `erasure ${subject}`, work)) !== undefined;
  }

  async #hasEnded(subject: string): Promise<boolean> {
    const { log } = this.parts;
    const events = await log.readStream<SubjectEvent>(log.streams.of('subject', subject));
    return !erasureIn(events) || events.some(({ type }) => type === 'SubjectErasureEnded');
  }

  #failed(error: unknown): void {
    const why = error instanceof Error ? error.message : String(error);
    if (!this.#hasFailed && !this.#stopping.signal.aborted)
      this.parts.warn(`An erasure has not ended: ${why}. It is tried again.`);
    this.#hasFailed = true;
  }
}

function goesOn(subject: string): ErasureGoesOn {
  const why = 'its rows are still filled again without its content';
  return new ErasureGoesOn(`subject ${subject}`, why, 'It goes on by itself: ask again later');
}
