// The names of these events and of their members are the storage format: logs of every release hold them.
// Add members as optional ones; to rename or to change a meaning, raise the version and write an upcaster.
import type { ChosenRound } from '#lib/read-models';
import { type VariantOverrides, type Spending, spendingKinds } from '#lib/decisions/session';
import type { DeclaredEvents } from '#lib/event-store';
import type { Event } from '#lib/kernel';

/** A decided round about which every variant is asked. Its context is that of the session at its revision. */
export type ExperimentPoint = ChosenRound;

/** A version of a specialist, with changes to its registration. */
export interface ExperimentVariant {
  readonly name: string;
  readonly specialistId: string;
  readonly specialistVersion: number;
  /** The machine of the specialist. */
  readonly specialistMachine: string;
  readonly overrides: VariantOverrides;
}

/** Limits of totals. `calls` are those of models, functions and webhooks. */
export type ExperimentCaps = {
  readonly maxCalls?: number;
  readonly maxCostUSD?: number;
};

/** The usage of the calls of an experiment. `costUSD` counts only calls with a known price. */
export interface ExperimentSpent {
  readonly calls: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly costUSD: number;
}

/** The answer to one ask: a choice, or a failure. */
export interface ExperimentAnswer extends Spending {
  readonly transitionName?: string;
  readonly toState?: string;
  /** The kind of the failure. */
  readonly failure?: string;
}

/** Present if the experiment is an evaluation: `against` names the decisions. */
interface EvaluationOf {
  readonly against: 'exemplars' | 'decisions';
}

export type ExperimentStarted = Event<
  'ExperimentStarted',
  {
    readonly experimentId: string;
    readonly name?: string;
    /** The machine of the points. */
    readonly machineName: string;
    readonly points: readonly ExperimentPoint[];
    readonly variants: readonly ExperimentVariant[];
    /** How often each variant is asked about each point. */
    readonly samples: number;
    /** `recorded`, or the name of a variant. */
    readonly baseline: string;
    readonly concurrency: number;
    readonly margin: number;
    readonly evaluation?: EvaluationOf;
  } & ExperimentCaps
>;

/** A request of asks from a number on. Asks are numbered by point, then variant, then sample. `batchId` is the id of the run. */
export type ExperimentBatchRequested = Event<
  'ExperimentBatchRequested',
  { readonly batchId: string; readonly from: number; readonly asks: number }
>;

/** The reason why a batch ended before its last ask. */
export type BatchStop = 'calls' | 'cost' | 'size';

/** The answers of a batch, in the order of its asks. */
export type ExperimentBatchEnded = Event<
  'ExperimentBatchEnded',
  {
    readonly batchId: string;
    readonly answers: readonly ExperimentAnswer[];
    readonly spent: ExperimentSpent;
    readonly stoppedBy?: BatchStop;
  }
>;

/** A batch failed or was cancelled: its run has its answers. It ends the experiment, unless that was cancelled before. */
export type ExperimentBatchFailed = Event<
  'ExperimentBatchFailed',
  { readonly batchId: string; readonly failure: { readonly kind: string; readonly message: string } }
>;

/** A stopped experiment continues, up to these totals. */
export type ExperimentResumed = Event<'ExperimentResumed', ExperimentCaps>;

export type ExperimentCancelled = Event<
  'ExperimentCancelled',
  { readonly reason?: string; readonly endsBatches?: readonly string[] }
>;

/** The events of a stream of the category `experiment`. */
export type ExperimentEvent =
  | ExperimentStarted
  | ExperimentBatchRequested
  | ExperimentBatchEnded
  | ExperimentBatchFailed
  | ExperimentResumed
  | ExperimentCancelled;

const caps = { maxCalls: 'structure', maxCostUSD: 'structure' } as const;

/** The event catalogue's entries. */
export const experimentEventDefinitions: DeclaredEvents<ExperimentEvent> = {
  ExperimentStarted: {
    version: 1,
    members: {
      experimentId: 'structure',
      name: 'content',
      machineName: 'structure',
      points: [
        {
          sessionId: 'structure',
          roundId: 'structure',
          revision: 'structure',
          state: 'structure',
          transitionName: 'structure',
          toState: 'structure',
          decidedBy: 'structure',
          isHuman: 'structure',
        },
      ],
      variants: 'content',
      samples: 'structure',
      baseline: 'content',
      concurrency: 'structure',
      margin: 'structure',
      evaluation: { against: 'structure' },
      ...caps,
    },
  },
  ExperimentBatchRequested: {
    version: 1,
    members: { batchId: 'structure', from: 'structure', asks: 'structure' },
  },
  ExperimentBatchEnded: {
    version: 1,
    members: {
      batchId: 'structure',
      answers: [
        {
          transitionName: 'structure',
          toState: 'structure',
          failure: 'structure',
          ...spendingKinds,
        },
      ],
      spent: {
        calls: 'structure',
        inputTokens: 'structure',
        outputTokens: 'structure',
        costUSD: 'structure',
      },
      stoppedBy: 'structure',
    },
  },
  ExperimentBatchFailed: {
    version: 1,
    members: { batchId: 'structure', failure: { kind: 'structure', message: 'content' } },
  },
  ExperimentResumed: { version: 1, members: caps },
  ExperimentCancelled: { version: 1, members: { reason: 'content', endsBatches: 'structure' } },
};
