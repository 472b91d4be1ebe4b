import { setImmediate, setTimeout as delay } from 'node:timers/promises';
import type { EventLog } from '#lib/event-store';
import { type Clock, ENGINE_ACTOR, type IdSource, reject } from '#lib/kernel';
import { commandContext, refuse, RejectionError } from '#lib/operations/core';
import type { RecoverySource } from '#lib/runs/runs/core';
import { type Failing, type LeaseHolder, SetAside, underLease } from '#lib/workflow';
import type { OpenSessions } from './open-sessions.js';
import type { SessionLoop } from './session-loop.js';
import type { Ticker } from './ticker.js';

/** The settings of the always-on mode. */
export interface DriverSettings {
  /** This process drives sessions by itself. */
  readonly enabled: boolean;
  /** Sessions driven at the same time. */
  readonly concurrency: number;
  /** The pause between two reads of open sessions, in ms, while none has a move. */
  readonly intervalMs: number;
}

/** Called for each session that could not be driven; the driver retries with growing pauses. */
type DriverProblem = (sessionId: string, failure: string) => void;

const LONGEST_PAUSE_MS = 60_000;
/** Steps of one session before the turn of another: a machine with an endless cycle does not delay other sessions. */
const STEPS_A_TURN = 10;
/** The factor by which sessions that wait for a person are tried less often. */
const WAITING_FACTOR = 100;

/**
 * The always-on mode: drives open sessions, in turns, until they rest or need a person. Its work list is a read model of the log.
 * Each session is driven under a lease: processes share the work, and no session is driven twice at a time.
 */
export class Driver {
  private readonly stopping = new AbortController();
  private readonly turns = new Map<string, Promise<void>>();
  private readonly setAside: SetAside;
  /** Epoch ms until which sessions without a move are skipped. */
  private readonly looked = new Map<string, number>();
  private driving: Promise<void> = Promise.resolve();
  private waitingAt = 0;

  constructor(
    private readonly sessions: OpenSessions,
    private readonly ticker: Ticker,
    private readonly loop: SessionLoop,
    private readonly holder: LeaseHolder,
    private readonly settings: DriverSettings,
    private readonly clock: Clock,
    private readonly ids: IdSource,
    private readonly onProblem: DriverProblem,
  ) {
    const pauses = { firstMs: 2 * settings.intervalMs, longestMs: LONGEST_PAUSE_MS };
    this.setAside = new SetAside(clock, pauses);
  }

  start(): void {
    this.driving = this.driveOnAndOn();
  }

  /** Takes no further step. The workflow runner stops open calls. */
  stop(): void {
    this.stopping.abort();
  }

  /** Resolves once the last step has ended. */
  async idle(): Promise<void> {
    await this.driving;
    await Promise.all(this.turns.values());
  }

  /** Sessions that could not be driven, by their ids. */
  get failing(): readonly Failing[] {
    return this.setAside.all;
  }

  /** Drives a session at once, unless it is being driven. Resolves once it rests or has failed again. */
  async retry(sessionId: string): Promise<void> {
    await (this.turns.get(sessionId) ?? this.turn(sessionId));
  }

  private async driveOnAndOn(): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      // With all stores in files of this process, turns may end without a turn of the event loop: the loops that fill rows must
      // run.
      await setImmediate();
      await this.begin().catch((error: unknown) => this.onProblem('(all)', String(error)));
      await this.untilTurnEnds(signal);
    }
  }

  /** Resolves after the poll interval at the latest. */
  private async untilTurnEnds(stopping: AbortSignal): Promise<void> {
    if (stopping.aborted) return;
    const over = new AbortController();
    const { signal } = over;
    stopping.addEventListener('abort', () => over.abort(), { signal });
    const pause = delay(this.settings.intervalMs, undefined, { signal, ref: false });
    await Promise.race([pause, ...this.turns.values()]).catch(() => undefined);
    over.abort();
  }

  /** Begins turns of due sessions, up to the concurrency. */
  private async begin(): Promise<void> {
    const { concurrency } = this.settings;
    const limit = concurrency + this.turns.size + this.failing.length + this.looked.size;
    const open = await this.sessions.drivable(limit);
    const waiting = await this.waiting(limit);
    this.forget([...open, ...waiting]);
    const due = [...open, ...waiting].filter((id) => this.isDue(id)).slice(0, concurrency - this.turns.size);
    for (const id of due) void this.turn(id);
  }

  private turn(sessionId: string): Promise<void> {
    const turn = this.driveUnderLease(sessionId).finally(() => this.turns.delete(sessionId));
    this.turns.set(sessionId, turn);
    return turn;
  }

  /** Sessions that wait for a person, at longer intervals: a specialist may have been registered, enabled or trusted since. */
  private async waiting(limit: number): Promise<readonly string[]> {
    if (this.now() < this.waitingAt) return [];
    this.waitingAt = this.now() + WAITING_FACTOR * this.settings.intervalMs;
    return this.sessions.waiting(limit);
  }

  private isDue(sessionId: string): boolean {
    if (this.turns.has(sessionId) || this.setAside.isResting(sessionId)) return false;
    return (this.looked.get(sessionId) ?? 0) <= this.now();
  }

  /** Another caller has moved a session that is no longer listed: its pause is dropped. */
  private forget(listed: readonly string[]): void {
    const known = new Set(listed);
    for (const id of this.looked.keys()) if (!known.has(id)) this.looked.delete(id);
    for (const { name } of this.failing) if (!known.has(name)) this.setAside.remove(name);
  }

  private async driveUnderLease(sessionId: string): Promise<void> {
    try {
      const driven = await underLease(this.holder, driveLease(sessionId), () => this.drive(sessionId));
      this.setAside.remove(sessionId);
      if (driven && driven.result > 0) this.looked.delete(sessionId);
      // Another process holds the lease, or the rows that list the session are behind its stream: it is not tried again at once.
      else this.looked.set(sessionId, this.now() + this.settings.intervalMs);
    } catch (error) {
      if (this.stopping.signal.aborted) return;
      this.onProblem(sessionId, this.setAside.add(sessionId, error).failure);
    }
  }

  /** @returns the number of steps */
  private async drive(sessionId: string): Promise<number> {
    for (let step = 0; step < STEPS_A_TURN; step++) {
      if (this.stopping.signal.aborted) return step;
      const { value } = await this.step(sessionId);
      if (value === null || value.status === 'needs_human') return step;
    }
    return STEPS_A_TURN;
  }

  /** A session that needs a key or a function that this process lacks gets a task for people. The error names the cause. */
  private async step(sessionId: string) {
    const context = commandContext('drive', { actor: ENGINE_ACTOR }, this.ids);
    try {
      return await this.ticker.tick(sessionId, context);
    } catch (error) {
      if (error instanceof RejectionError && error.rejection.code === 'configuration')
        await this.loop.callHuman(sessionId, 'cannot-ask', error.message, context);
      throw error;
    }
  }

  private now(): number {
    return this.clock.now().getTime();
  }
}

/** The lease of the process that drives a session. */
export function driveLease(sessionId: string): string {
  return `drive-${sessionId}`;
}

/** The sessions that the always-on mode of this process cannot drive. */
export function sessionRecovery(driver: Driver, log: EventLog): RecoverySource {
  const idOf = (stream: string) => log.streams.parse(stream)?.id ?? '';
  return {
    get setAside() {
      return driver.failing.map((item) => ({ ...item, name: log.streams.of('session', item.name) }));
    },
    retry: (stream) => driver.retry(idOf(stream)),
    giveUp: async (stream) => refuse(decided(idOf(stream))),
  };
}

function decided(sessionId: string) {
  return reject('conflict', 'cannot-give-up', {
    what: `session ${sessionId}`,
    why: 'a session does not end as failed: it is decided',
    fix: 'Remove the cause in the failure and retry, or decide the session as a person or an operator',
  });
}
