import { setTimeout as delay } from 'node:timers/promises';
import type { Clock, IdSource } from '#lib/kernel';
import { LeaseHeartbeat, type Leases, type RunnerSettings } from '#lib/workflow';
import { callOf } from '../write-side/call.js';
import { driveLease } from './drive-lease.js';
import { inParallel } from './in-parallel.js';
import type { OpenSessions } from './open-sessions.js';
import type { Ticker } from './ticker.js';

/** How the always-on mode works. */
export interface DriverSettings {
  /** Whether this process drives sessions by itself. */
  readonly enabled: boolean;
  /** Sessions that it drives at the same time. */
  readonly concurrency: number;
  /** Milliseconds between two looks at the sessions while there is nothing to do. */
  readonly intervalMs: number;
}

/** Told of a session that could not be driven on; the driver comes by again, less and less often. */
export type DriverProblem = (sessionId: string, error: unknown) => void;

const LONGEST_PAUSE_MS = 60_000;

/**
 * The always-on mode: drives open sessions until they rest or need a person. Its work list is a read model, filled by a
 * checkpointed subscription to the log; each session is driven under a lease, so that processes share the work and none
 * drives what another one does. A session that waits for a person comes back to the list with the next proposal.
 */
export class Driver {
  private readonly stopping = new AbortController();
  private readonly paused = new Map<string, { readonly until: number; readonly failures: number }>();
  private driving: Promise<void> = Promise.resolve();

  constructor(
    private readonly sessions: OpenSessions,
    private readonly ticker: Ticker,
    private readonly leases: Leases,
    private readonly runner: RunnerSettings,
    private readonly settings: DriverSettings,
    private readonly clock: Clock,
    private readonly ids: IdSource,
    private readonly onProblem: DriverProblem,
  ) {}

  start(): void {
    this.driving = this.driveOnAndOn();
  }

  /** Takes no further step. What is in flight, the workflow runner stops. */
  stop(): void {
    this.stopping.abort();
  }

  /** Once the last step has ended. */
  async idle(): Promise<void> {
    await this.driving;
  }

  private async driveOnAndOn(): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      const stepped = await this.sweep().catch((error: unknown) => {
        this.onProblem('(all)', error);
        return false;
      });
      if (!stepped)
        await delay(this.settings.intervalMs, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  /** @returns whether any session took a step */
  private async sweep(): Promise<boolean> {
    const now = this.now();
    const due = (await this.sessions.drivable()).filter((id) => (this.paused.get(id)?.until ?? 0) <= now);
    const stepped = await inParallel(due, this.settings.concurrency, (id) => this.driveUnderLease(id));
    return stepped.some(Boolean);
  }

  private async driveUnderLease(sessionId: string): Promise<boolean> {
    const name = driveLease(sessionId);
    const { owner, leaseTtlMs } = this.runner;
    if (this.stopping.signal.aborted || !(await this.leases.acquire(name, owner, leaseTtlMs))) return false;
    return LeaseHeartbeat.during(this.leases, name, this.runner, () => this.drive(sessionId));
  }

  private async drive(sessionId: string): Promise<boolean> {
    let steps = 0;
    try {
      while (!this.stopping.signal.aborted && (await this.step(sessionId))) steps += 1;
      this.paused.delete(sessionId);
    } catch (error) {
      if (!this.stopping.signal.aborted) this.pause(sessionId, error);
    }
    return steps > 0;
  }

  /** @returns whether there is more to do */
  private async step(sessionId: string): Promise<boolean> {
    const call = callOf('drive', sessionId, { actor: 'redial' }, this.ids);
    const { value } = await this.ticker.tick(sessionId, call);
    return value !== null && value.status !== 'needs_human';
  }

  private pause(sessionId: string, error: unknown): void {
    const failures = (this.paused.get(sessionId)?.failures ?? 0) + 1;
    const pauseMs = Math.min(this.settings.intervalMs * 2 ** failures, LONGEST_PAUSE_MS);
    this.paused.set(sessionId, { until: this.now() + pauseMs, failures });
    this.onProblem(sessionId, error);
  }

  private now(): number {
    return this.clock.now().getTime();
  }
}
