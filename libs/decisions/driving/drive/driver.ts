import { setImmediate, setTimeout as delay } from 'node:timers/promises';
import type { EventLog } from '#lib/event-store';
import { type Clock, ENGINE_ACTOR, type IdSource, reject } from '#lib/kernel';
import { commandContext, refuse, RejectionError } from '#lib/operations/core';
import type { RecoverySource } from '#lib/runs/runs/core';
import { type Failing, type LeaseHolder, SetAside, underLease } from '#lib/workflow';
import type { OpenSessions } from './open-sessions.js';
import type { SessionLoop } from './session-loop.js';
import type { Ticker } from './ticker.js';

/** How the always-on mode works. */
export interface DriverSettings {
  /** Whether this process drives sessions by itself. */
  readonly enabled: boolean;
  /** Sessions that it drives at the same time. */
  readonly concurrency: number;
  /** Milliseconds between two reads of the sessions while there is nothing to do. */
  readonly intervalMs: number;
}

/** Called with a session that could not be driven; the driver retries with growing pauses. */
type DriverProblem = (sessionId: string, failure: string) => void;

const LONGEST_PAUSE_MS = 60_000;
/** Steps of one session before the turn of another, so that an endless cycle of a machine does not keep other sessions waiting. */
const STEPS_A_TURN = 10;
/** How many times less often sessions that wait for a person are tried. */
const WAITING_FACTOR = 100;

/**
 * The always-on mode: drives open sessions until they rest or need a person, taking turns. Its work list is a read model,
 * filled by a checkpointed subscription to the log; each session is driven under a lease, so that processes share the work
 * and none drives what another one does.
 */
export class Driver {
  private readonly stopping = new AbortController();
  private readonly turns = new Map<string, Promise<void>>();
  private readonly setAside: SetAside;
  /** Epoch milliseconds until which sessions that had nothing to do are skipped. */
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

  /** Takes no further step. What is in flight, the workflow runner stops. */
  stop(): void {
    this.stopping.abort();
  }

  /** Resolves once the last step has ended. */
  async idle(): Promise<void> {
    await this.driving;
    await Promise.all(this.turns.values());
  }

  /** Sessions that could not be driven on, by their ids. */
  get failing(): readonly Failing[] {
    return this.setAside.all;
  }

  /** Drives a session on at once, unless it is being driven. Resolves once it has failed again or rests. */
  async retry(sessionId: string): Promise<void> {
    await (this.turns.get(sessionId) ?? this.turn(sessionId));
  }

  private async driveOnAndOn(): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      // With everything in files of this process, turns may end without the event loop turning: what fills the rows must run.
      await setImmediate();
      await this.begin().catch((error: unknown) => this.onProblem('(all)', String(error)));
      await this.untilTurnEnds(signal);
    }
  }

  /** Or for a while, if none does. */
  private async untilTurnEnds(stopping: AbortSignal): Promise<void> {
    if (stopping.aborted) return;
    const over = new AbortController();
    const { signal } = over;
    stopping.addEventListener('abort', () => over.abort(), { signal });
    const pause = delay(this.settings.intervalMs, undefined, { signal, ref: false });
    await Promise.race([pause, ...this.turns.values()]).catch(() => undefined);
    over.abort();
  }

  /** Gives free lanes to sessions that are due. */
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

  /** Sessions that wait for a person, from time to time: a specialist may have been registered, enabled or trusted since. */
  private async waiting(limit: number): Promise<readonly string[]> {
    if (this.now() < this.waitingAt) return [];
    this.waitingAt = this.now() + WAITING_FACTOR * this.settings.intervalMs;
    return this.sessions.waiting(limit);
  }

  private isDue(sessionId: string): boolean {
    if (this.turns.has(sessionId) || this.setAside.isResting(sessionId)) return false;
    return (this.looked.get(sessionId) ?? 0) <= this.now();
  }

  /** A session that is not listed any more was moved by another caller: its pause is dropped. */
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
      // Another process holds the lease, or the rows that list it are older than its stream: it is not tried again at once.
      else this.looked.set(sessionId, this.now() + this.settings.intervalMs);
    } catch (error) {
      if (this.stopping.signal.aborted) return;
      this.onProblem(sessionId, this.setAside.add(sessionId, error).failure);
    }
  }

  /** @returns how many steps it took */
  private async drive(sessionId: string): Promise<number> {
    for (let step = 0; step < STEPS_A_TURN; step++) {
      if (this.stopping.signal.aborted) return step;
      const { value } = await this.step(sessionId);
      if (value === null || value.status === 'needs_human') return step;
    }
    return STEPS_A_TURN;
  }

  /** A session that needs a key or a function that this process lacks calls a person; the error names it. */
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

/** The sessions that the always-on mode of this process cannot drive on. */
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
    fix: 'Remove what the failure names and retry, or decide the session as a person or an operator',
  });
}
