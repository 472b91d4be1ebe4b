import { setTimeout as delay } from 'node:timers/promises';
import { isRejection, type Rejection } from '#lib/kernel';
import { listOpenSolicitations, type OpenSolicitationRecord, type ReadStore } from '#lib/projections';
import type { Solicitor } from './solicitor.js';

/** Told of what recovery could not finish; it comes by again. */
export type RecoveryProblem = (solicitationId: string, error: unknown) => void;

const PAGE = 100;

/**
 * Finds solicitations that were cut off, after start and again and again, and finishes them: a request without an outcome
 * is marked, a result that never reached its session is submitted. What somebody runs under a lease is left alone.
 */
export class Recovery {
  private readonly stopping = new AbortController();
  private sweeping: Promise<void> = Promise.resolve();

  constructor(
    private readonly store: ReadStore,
    private readonly solicitor: Solicitor,
    private readonly intervalMs: number,
    private readonly onProblem: RecoveryProblem,
  ) {}

  /** Sweeps now, and every `intervalMs` after the sweep before has ended. */
  start(): void {
    this.sweeping = this.sweepOnAndOn();
  }

  /** Begins no further sweep. What one that is under way has running, the runner stops. */
  stop(): void {
    this.stopping.abort();
  }

  /** Once the last sweep has ended. */
  async idle(): Promise<void> {
    await this.sweeping;
  }

  private async sweepOnAndOn(): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      await this.sweep().catch((error: unknown) => this.onProblem('(all)', error));
      await delay(this.intervalMs, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  private async sweep(): Promise<void> {
    let cursor: string | undefined;
    do {
      const page = await listOpenSolicitations(this.store.db, {
        limit: PAGE,
        ...(cursor !== undefined && { cursor }),
      });
      if (isRejection(page)) throw new TypeError(refusedPage(page));
      await Promise.all(page.items.map((open) => this.finish(open)));
      cursor = page.nextCursor ?? undefined;
    } while (cursor !== undefined && !this.stopping.signal.aborted);
  }

  private async finish({ sessionId, solicitationId }: OpenSolicitationRecord): Promise<void> {
    if (this.stopping.signal.aborted) return;
    try {
      await this.solicitor.recover(sessionId, solicitationId);
    } catch (error) {
      this.onProblem(solicitationId, error);
    }
  }
}

function refusedPage({ message }: Rejection): string {
  return `Open solicitations could not be listed: ${message}`;
}
