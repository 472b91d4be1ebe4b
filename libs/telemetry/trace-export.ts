import { setTimeout as delay } from 'node:timers/promises';
import { cannotBeRead, type EventLog } from '#lib/event-store';
import { type RecordedEvent, thrownText } from '#lib/kernel';
import type { ReadStore } from '#lib/read-models';
import { type LeaseHolder, underLease } from '#lib/workflow';
import { type ExportSpans, type Span, SpansRefused } from './span.js';
import { spansOfRun } from './spans-of-run.rules.js';
import { removeExported, runsToExport } from './traces.read-model.js';

/** Runs that are looked up at once, and spans that are sent at once. */
const MOST_RUNS = 50;
const MOST_SPANS = 512;

const LOOK_MS = 1_000;
const FIRST_RETRY_MS = 1_000;
const LAST_RETRY_MS = 60_000;

interface TraceExportParts {
  readonly log: EventLog;
  readonly store: ReadStore;
  readonly holder: LeaseHolder;
  /** Absent: no spans are exported. */
  readonly export: ExportSpans | undefined;
  /** Called with spans that are left out, and once each time that exporting begins to fail. */
  readonly warn: (message: string) => void;
}

/**
 * Exports the spans of runs that have ended, one process at a time. A run is listed until its spans are exported: after a crash or an outage
 * of the collector they are sent again, with the same ids.
 */
export class TraceExport {
  readonly #stopping = new AbortController();
  #running: Promise<void> = Promise.resolve();
  #failures = 0;

  constructor(private readonly parts: TraceExportParts) {}

  start(): void {
    if (this.parts.export) this.#running = this.#run(this.parts.export);
  }

  /** Waits for the spans that are being sent; the next process sends the others. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }

  async #run(send: ExportSpans): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      const wait = await this.#turn(send).catch((error: unknown) => this.#failed(error));
      await delay(wait, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  /** @returns the milliseconds until the next turn */
  async #turn(send: ExportSpans): Promise<number> {
    const [listed] = await runsToExport(this.parts.store, 1);
    const turn =
      listed && (await underLease(this.parts.holder, 'trace export', () => this.#exportListed(send)));
    this.#failures = 0;
    return turn?.result === true ? 0 : LOOK_MS;
  }

  #failed(error: unknown): number {
    const why = thrownText(error);
    if (this.#failures === 0 && !this.#stopping.signal.aborted)
      this.parts.warn(`Traces are not exported: ${why}. They are kept, and tried again.`);
    this.#failures += 1;
    return Math.min(FIRST_RETRY_MS * 2 ** (this.#failures - 1), LAST_RETRY_MS);
  }

  /** @returns whether there may be more */
  async #exportListed(send: ExportSpans): Promise<boolean> {
    const listed = await runsToExport(this.parts.store, MOST_RUNS);
    let spans: Span[] = [];
    let taken: string[] = [];
    for (const { runId, stream } of listed) {
      if (this.#stopping.signal.aborted) return false;
      // One history at a time: each may be large.
      spans = [...spans, ...spansOfRun(runId, await this.#history(stream))];
      taken.push(runId);
      if (spans.length < MOST_SPANS && runId !== listed.at(-1)?.runId) continue;
      await this.#send(send, spans, taken);
      [spans, taken] = [[], []];
    }
    return listed.length === MOST_RUNS;
  }

  /** A run that this process cannot read has no spans: it must not keep back all others. */
  async #history(stream: string): Promise<readonly RecordedEvent[]> {
    try {
      return await this.parts.log.readStream(stream);
    } catch (error) {
      if (!cannotBeRead(error)) throw error;
      this.parts.warn(`The spans of ${stream} are left out: ${error.message}`);
      return [];
    }
  }

  async #send(send: ExportSpans, spans: readonly Span[], runIds: readonly string[]): Promise<void> {
    for (let from = 0; from < spans.length; from += MOST_SPANS) {
      try {
        await send(spans.slice(from, from + MOST_SPANS));
      } catch (error) {
        if (!(error instanceof SpansRefused)) throw error;
        this.parts.warn(error.message);
      }
    }
    await removeExported(this.parts.store, runIds);
  }
}
