import { setTimeout as delay } from 'node:timers/promises';
import { isRejection, type Rejection } from '#lib/kernel';
import { listOpenEvaluations, type Page, type PageRequest, type ReadStore } from '#lib/projections';
import type { Evaluator } from '../evaluations/evaluator.js';

/** Called with an item that recovery could not finish, such as `solicitation <id>`; it is tried again. */
export type RecoveryProblem = (workflow: string, error: unknown) => void;

const PAGE = 100;

/** A list of open workflows of one kind, and what finishes one of it. */
interface Open<Item> {
  list(request: PageRequest): Promise<Page<Item> | Rejection>;
  nameOf(item: Item): string;
  recover(item: Item): Promise<boolean>;
}

/**
 * Finds evaluations that were cut off, after start and again and again, and finishes them. What somebody runs under a lease is
 * left alone.
 */
export class Recovery {
  private readonly stopping = new AbortController();
  private sweeping: Promise<void> = Promise.resolve();

  constructor(
    private readonly store: ReadStore,
    private readonly evaluator: Evaluator,
    private readonly intervalMs: number,
    private readonly onProblem: RecoveryProblem,
  ) {}

  /** Sweeps for each kind now, and every `intervalMs` after its sweep before has ended. */
  start(): void {
    this.sweeping = this.onAndOn(() => this.sweepEvaluations());
  }

  /** Begins no further sweep. What one that is under way has running, the runner stops. */
  stop(): void {
    this.stopping.abort();
  }

  /** Once the last sweeps have ended. */
  async idle(): Promise<void> {
    await this.sweeping;
  }

  private async onAndOn(sweep: () => Promise<void>): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      await sweep();
      await delay(this.intervalMs, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  private sweepEvaluations(): Promise<void> {
    return this.sweep({
      list: (request) => listOpenEvaluations(this.store.db, request),
      nameOf: ({ evaluationId }) => `evaluation ${evaluationId}`,
      recover: ({ evaluationId }) => this.evaluator.recover(evaluationId),
    });
  }

  private async sweep<Item>(open: Open<Item>): Promise<void> {
    let cursor: string | undefined;
    try {
      do {
        const page = await open.list({ limit: PAGE, ...(cursor !== undefined && { cursor }) });
        if (isRejection(page)) throw new TypeError(refusedPage(page));
        for (const item of page.items) await this.finish(open, item);
        cursor = page.nextCursor ?? undefined;
      } while (cursor !== undefined && !this.stopping.signal.aborted);
    } catch (error) {
      this.onProblem('every open workflow', error);
    }
  }

  private async finish<Item>(open: Open<Item>, item: Item): Promise<void> {
    if (this.stopping.signal.aborted) return;
    try {
      await open.recover(item);
    } catch (error) {
      this.onProblem(open.nameOf(item), error);
    }
  }
}

function refusedPage({ message }: Rejection): string {
  return `What is open could not be listed: ${message}`;
}
