import type { ReadSide } from '#lib/operations/core';
import { countSessions, decisionsByKind, inboxRows, openLlmCalls, type ReadStore } from '#lib/read-models';
import { awaitRows, countOpenRuns } from '#lib/runs/runs/core';
import type { WorkflowRegistry } from '#lib/workflow';
import { type CallMeter, metersOfCalls } from './call-meters.js';
import { callMeters, type MeterTables, tallies } from './meters.tables.js';

/** The counters of monitoring, over the whole log and all processes; open runs and sessions are counted at the read. */
export interface MeterReadings {
  readonly sessions: ReadonlyMap<string, number>;
  readonly runs: { readonly running: number; readonly waiting: number };
  /** By workflow and status. */
  readonly runsEnded: readonly {
    readonly workflow: string;
    readonly status: string;
    readonly total: number;
  }[];
  /** The start of the longest wait, in epoch ms; absent without one. */
  readonly waitingSince: { readonly decision?: number; readonly run?: number };
  readonly decisions: ReadonlyMap<string, number>;
  readonly fallbacks: ReadonlyMap<string, number>;
  /** By workflow, for all workflows of this process. */
  readonly budgetRefusals: ReadonlyMap<string, number>;
  /** In the order of their first calls. At most `MOST_MODELS`, then the sum of all others as `other`. */
  readonly calls: readonly CallMeter[];
}

/** Reads the sums of the read model `meters`, and counts open runs and sessions. */
export class Meters {
  constructor(
    private readonly store: ReadStore,
    private readonly reads: ReadSide,
    private readonly workflows: WorkflowRegistry,
  ) {}

  /** @throws ForeignPosition | ProjectionBehind if the rows do not reach `minPosition` in time */
  async read(minPosition?: string): Promise<MeterReadings> {
    if (minPosition !== undefined)
      await this.reads.waitForOwnWrites(['meters', 'runs', 'sessions', 'llm_calls'], minPosition);
    const { db } = this.store;
    const tables = db.withTables<MeterTables>();
    const [sessions, runs, waitingSince, decisions, counted, rows, open] = await Promise.all([
      countSessions(db),
      countOpenRuns(db),
      this.oldestWaits(),
      decisionsByKind(db),
      tables.selectFrom(tallies.table.name).selectAll().execute(),
      tables.selectFrom(callMeters.table.name).selectAll().orderBy('number').execute(),
      openLlmCalls(db),
    ]);
    const tally = (meter: string) => counted.filter((one) => one.meter === meter);
    const byLabel = (meter: string) => new Map(tally(meter).map(({ label, total }) => [label, total]));
    return {
      sessions,
      runs,
      runsEnded: tally('run').map(({ label, detail, total }) => ({ workflow: label, status: detail, total })),
      waitingSince,
      decisions,
      fallbacks: byLabel('fallback'),
      budgetRefusals: new Map([
        ...this.workflows.all.map(({ name }) => [name, 0] as const),
        ...byLabel('budget-refusal'),
      ]),
      calls: metersOfCalls(rows, open),
    };
  }

  private async oldestWaits(): Promise<MeterReadings['waitingSince']> {
    const internal = this.workflows.all.filter((one) => one.internal).map(({ name }) => name);
    const [[decision], [run]] = await Promise.all([
      inboxRows(this.store.db, {}, undefined, 1),
      awaitRows(this.store.db, internal, undefined, 1),
    ]);
    return { ...(decision && { decision: decision.since }), ...(run && { run: run.opened_at }) };
  }
}
