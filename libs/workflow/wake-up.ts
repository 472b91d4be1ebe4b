import type { ActivityRegistry } from './activity/activity-registry.js';
import type { EventLog, Position, StoredEvent } from '#lib/event-store';
import type { Leases } from './leases/leases.js';
import { isExternal } from './run.decider.js';
import type { OwnedRuns } from './owned-runs.js';
import type { RunIndex, RunToWake } from './run-index.js';
import type { AskedRun } from './run-owner.js';
import type { Time } from './time.js';
import type { UnattendedRuns } from './unattended-runs.js';
import type { WorkflowRegistry } from './workflow-registry.js';

interface WakeUpParts {
  readonly log: EventLog;
  readonly time: Time;
  readonly activities: ActivityRegistry;
  readonly workflows: WorkflowRegistry;
  readonly leases: Pick<Leases, 'expired'>;
  readonly index: RunIndex;
  /** Milliseconds between two sweeps. */
  readonly sweepMs: number;
  /** @returns the revision at which the run rests, if this process found no work under the lease */
  readonly wake: (stream: string, revision?: number) => Promise<number | undefined>;
  readonly owned: Pick<OwnedRuns, 'begin' | 'namedIn' | 'noticed'>;
  readonly unattended: Pick<UnattendedRuns, 'attended' | 'swept'>;
  readonly failed: (what: string, error: unknown) => void;
}

const PAGE = 1_000;
const RETRY_MS = 1_000;

/**
 * Wakes runs: one subscription of the log, one timer for the nearest wake time, and a sweep for the runs that both missed. A run that waits costs no
 * memory here, or one number if it waits for a time.
 */
export class WakeUp {
  readonly #ending = new AbortController();
  readonly #dueTimes = new Map<string, number>();
  /** Revisions at which the last sweep found runs at rest. These runs are skipped until their wake time. */
  readonly #rested = new Map<string, number>();
  #timer = { at: Infinity, cancel: () => {} };
  #following: Promise<void> = Promise.resolve();
  #sweeping: Promise<void> = Promise.resolve();
  #cancelSweep = () => {};

  constructor(private readonly parts: WakeUpParts) {}

  /** Follows the log from its current head. @throws StoreUnavailable */
  async follow(): Promise<void> {
    this.#following = this.#follow(await this.parts.log.store.head());
  }

  /** Follows the log, and sweeps at once and from then on. @throws StoreUnavailable */
  async start(): Promise<void> {
    await this.follow();
    this.#sweepLater(0);
  }

  async stop(): Promise<void> {
    this.#ending.abort();
    this.#timer.cancel();
    this.#cancelSweep();
    await Promise.all([this.#following, this.#sweeping]);
  }

  wakeAt(stream: string, dueAt: number): void {
    this.#dueTimes.set(stream, dueAt);
    if (dueAt < this.#timer.at) this.#setTimer(dueAt);
  }

  forget(stream: string): void {
    this.#dueTimes.delete(stream);
  }

  async #follow(head: Position | undefined): Promise<void> {
    const { log, failed } = this.parts;
    const { signal } = this.#ending;
    let after = head;
    while (!signal.aborted) {
      try {
        for await (const batch of log.store.subscribe(after, signal)) {
          after = batch.at(-1)?.position ?? after;
          this.#notice(batch);
        }
        // The subscription ends without an error once the store is closed.
        return;
      } catch (error) {
        failed('the subscription of the log', error);
        await this.#pause(RETRY_MS);
      }
    }
  }

  /** A pause that `stop` ends early. */
  #pause(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const cancel = this.parts.time.after(milliseconds, resolve);
      const end = () => {
        cancel();
        resolve();
      };
      this.#ending.signal.addEventListener('abort', end, { once: true });
    });
  }

  /** Looks at the last event of each run in the batch. A driver that is still at work wrote the derived ones. */
  #notice(batch: readonly StoredEvent[]): void {
    for (const event of batch) this.#noticeNamed(event);
    for (const [stream, { type, revision }] of new Map(batch.map((event) => [event.stream, event]))) {
      this.parts.owned.noticed(stream, revision);
      if (isExternal({ type, data: {} }, this.parts.activities) && this.#isRun(stream))
        void this.parts.wake(stream, revision);
    }
  }

  /** Begins and ends runs for which no caller waits. The sweep finds those that this misses. */
  #noticeNamed(event: StoredEvent): void {
    const { owned, log, wake } = this.parts;
    for (const { asked, withdrawn } of owned.namedIn(event)) {
      for (const run of asked) void this.#begin(run, event.revision);
      for (const { workflow, runId } of withdrawn) void wake(log.streams.of(workflow, runId));
    }
  }

  #isRun(stream: string): boolean {
    const { log, workflows } = this.parts;
    return workflows.named(log.streams.parse(stream)?.category ?? '') !== undefined;
  }

  #setTimer(at: number): void {
    if (this.#ending.signal.aborted) return;
    const { time } = this.parts;
    this.#timer.cancel();
    this.#timer = { at, cancel: time.after(at - time.now().getTime(), () => this.#fire()) };
  }

  #fire(): void {
    this.#timer = { at: Infinity, cancel: () => {} };
    const now = this.parts.time.now().getTime();
    const due = [...this.#dueTimes].filter(([, dueAt]) => dueAt <= now);
    for (const [stream] of due) {
      this.#dueTimes.delete(stream);
      // If waking the run fails, the next sweep looks at it.
      this.#rested.delete(stream);
      void this.parts.wake(stream);
    }
    const next = [...this.#dueTimes.values()].reduce((first, dueAt) => Math.min(first, dueAt), Infinity);
    if (next < Infinity) this.#setTimer(next);
  }

  #sweepLater(milliseconds: number): void {
    this.#cancelSweep = this.parts.time.after(milliseconds, () => {
      this.#sweeping = this.#sweep()
        .catch((error: unknown) => this.parts.failed('the sweep of open runs', error))
        .finally(() => {
          if (!this.#ending.signal.aborted) this.#sweepLater(this.parts.sweepMs);
        });
    });
  }

  async #sweep(): Promise<void> {
    const { leases, index, time, sweepMs, unattended } = this.parts;
    // The subscription may be ahead of the result of a read.
    this.parts.owned.noticed();
    for (const name of await leases.expired(PAGE)) {
      if (this.#isRun(name)) void this.parts.wake(name);
    }
    for (let page = await index.toBegin('', PAGE); page.length > 0;) {
      await Promise.all(page.map((asked) => this.#begin(asked)));
      page = await index.toBegin(page.at(-1)?.runId ?? '', PAGE);
    }
    const before = new Date(time.now().getTime() + sweepMs);
    const left = new Set(this.#rested.keys());
    for (let page = await index.toWake(before, '', PAGE); page.length > 0;) {
      for (const row of await unattended.attended(page)) {
        left.delete(row.stream);
        this.#look(row);
      }
      page = await index.toWake(before, page.at(-1)?.place ?? '', PAGE);
    }
    unattended.swept();
    for (const stream of left) this.#rested.delete(stream);
  }

  async #begin(asked: AskedRun, revision?: number): Promise<void> {
    const { owned, failed } = this.parts;
    await owned
      .begin(asked, revision)
      .catch((error: unknown) => failed(`the start of ${asked.workflow} ${asked.runId}`, error));
  }

  #look({ stream, revision, dueAt = 0 }: RunToWake): void {
    if (dueAt > this.parts.time.now().getTime()) return this.wakeAt(stream, dueAt);
    if (this.#rested.get(stream) === revision) return;
    void this.parts.wake(stream).then((rest) => rest !== undefined && this.#rested.set(stream, rest));
  }
}
