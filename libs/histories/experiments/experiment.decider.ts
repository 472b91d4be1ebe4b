import {
  type Command,
  type Decider,
  derivedId,
  type Members,
  present,
  recordedBesides,
  type Rejection,
} from '#lib/kernel';
import {
  experimentEnded,
  experimentNotStopped,
  limitsReached,
  unknownExperiment,
} from './experiment.rejections.js';
import type {
  BatchStop,
  ExperimentAnswer,
  ExperimentBatchEnded,
  ExperimentBatchFailed,
  ExperimentBatchRequested,
  ExperimentCancelled,
  ExperimentCaps,
  ExperimentEvent,
  ExperimentSpent,
  ExperimentStarted,
} from './experiment.events.js';

/** The most asks of a batch. */
export const ASKS_OF_BATCH = 250;

export type ExperimentStatus = 'running' | 'completed' | 'stopped' | 'cancelled' | 'failed';

/** A batch in the order of requests. */
interface ExperimentBatch {
  readonly batchId: string;
  readonly from: number;
  readonly asks: number;
  /** Absent while the batch is open, and if it was cancelled or failed: then its run has its answers. */
  readonly answers?: readonly ExperimentAnswer[];
}

export interface Experiment {
  readonly started: ExperimentStarted['data'];
  readonly status: ExperimentStatus;
  /** In force. */
  readonly caps: ExperimentCaps;
  readonly batches: readonly ExperimentBatch[];
  /** The first ask that no batch has. */
  readonly next: number;
  /** The usage of the ended batches. */
  readonly spent: ExperimentSpent;
  readonly stoppedBy?: BatchStop;
  readonly failure?: { readonly kind: string; readonly message: string };
}

/** `undefined` before its start. */
export type ExperimentState = Experiment | undefined;

export type StartExperiment = Command<'StartExperiment', ExperimentStarted['data']>;
export type EndBatch = Command<
  'EndBatch',
  {
    readonly experimentId: string;
    readonly batchId: string;
    readonly result:
      | Omit<ExperimentBatchEnded['data'], 'batchId'>
      | Pick<ExperimentBatchFailed['data'], 'failure'>;
  }
>;
export type ResumeExperiment = Command<
  'ResumeExperiment',
  { readonly experimentId: string } & ExperimentCaps
>;
export type CancelExperiment = Command<
  'CancelExperiment',
  { readonly experimentId: string; readonly reason?: string }
>;
export type ExperimentCommand = StartExperiment | EndBatch | ResumeExperiment | CancelExperiment;

export const NOTHING_SPENT: ExperimentSpent = { calls: 0, inputTokens: 0, outputTokens: 0, costUSD: 0 };

/** The rules of an experiment: its batches run one after another. */
export const experimentDecider: Decider<ExperimentState, ExperimentCommand, ExperimentEvent> = {
  initialState: undefined,
  decide,
  evolve,
  ...recordedBesides('experimentId', heldIn),
};

/** The members of a command that its events hold. */
function heldIn(_type: ExperimentCommand['type'], [event]: readonly ExperimentEvent[]): Members | undefined {
  switch (event?.type) {
    case 'ExperimentBatchEnded':
    case 'ExperimentBatchFailed': {
      const { batchId, ...result } = event.data;
      return { batchId, result };
    }
    case 'ExperimentCancelled': {
      const { endsBatches: _, ...data } = event.data;
      return data;
    }
    default:
      return event?.data;
  }
}

function decide(command: ExperimentCommand, state: ExperimentState): readonly ExperimentEvent[] | Rejection {
  const { experimentId } = command.data;
  if (command.type === 'StartExperiment') return state ? [] : starting(command.data);
  if (!state) return unknownExperiment(experimentId);
  switch (command.type) {
    case 'EndBatch':
      return ending(command.data, state);
    case 'ResumeExperiment':
      return resuming(command.data, state);
    case 'CancelExperiment':
      return cancelling(command.data, state);
  }
}

function starting(data: ExperimentStarted['data']): readonly ExperimentEvent[] {
  const started: ExperimentStarted = { type: 'ExperimentStarted', data };
  return [started, ...nextBatch(evolve(undefined, started))];
}

/** The request of the next batch, if asks are left. */
function nextBatch(state: ExperimentState): readonly ExperimentBatchRequested[] {
  if (!state) return [];
  const { batches, next: from, started } = state;
  const asks = Math.min(ASKS_OF_BATCH, asksOf(started) - from);
  if (asks === 0) return [];
  const batchId = derivedId(started.experimentId, `batch-${batches.length}`);
  return [{ type: 'ExperimentBatchRequested', data: { batchId, from, asks } }];
}

/** The number of asks of an experiment. */
export function asksOf({ points, variants, samples }: ExperimentStarted['data']): number {
  return points.length * variants.length * samples;
}

function ending({ batchId, result }: EndBatch['data'], state: Experiment): readonly ExperimentEvent[] {
  const batch = openBatch(state);
  if (batch?.batchId !== batchId) return [];
  if ('failure' in result)
    return [{ type: 'ExperimentBatchFailed', data: { batchId, failure: result.failure } }];
  const ended: ExperimentBatchEnded = { type: 'ExperimentBatchEnded', data: { batchId, ...result } };
  const after = evolve(state, ended);
  return [ended, ...(after?.status === 'running' ? nextBatch(after) : [])];
}

/** The open batch of a running experiment. */
export function openBatchOf(state: ExperimentState): ExperimentBatch | undefined {
  return state?.status === 'running' ? openBatch(state) : undefined;
}

function openBatch({ batches }: Experiment): ExperimentBatch | undefined {
  const last = batches.at(-1);
  return last?.answers ? undefined : last;
}

function resuming(
  { maxCalls, maxCostUSD }: ResumeExperiment['data'],
  state: Experiment,
): readonly ExperimentEvent[] | Rejection {
  if (state.status !== 'stopped') return experimentNotStopped(state.status);
  const caps = present({ maxCalls, maxCostUSD });
  const { maxCalls: calls = Infinity, maxCostUSD: cost = Infinity } = { ...state.caps, ...caps };
  const reached = capReached({ maxCalls: calls, maxCostUSD: cost }, state.spent);
  if (reached === 'calls') return limitsReached(reached, calls, state.spent.calls);
  if (reached === 'cost') return limitsReached(reached, cost, state.spent.costUSD);
  return [{ type: 'ExperimentResumed', data: caps }, ...nextBatch(state)];
}

/** The limit that allows no further call. */
export function capReached(
  { maxCalls = Infinity, maxCostUSD = Infinity }: ExperimentCaps,
  { calls, costUSD }: Pick<ExperimentSpent, 'calls' | 'costUSD'>,
): 'calls' | 'cost' | undefined {
  if (calls >= maxCalls) return 'calls';
  return costUSD >= maxCostUSD ? 'cost' : undefined;
}

function cancelling(
  { reason }: CancelExperiment['data'],
  state: Experiment,
): readonly ExperimentEvent[] | Rejection {
  if (state.status !== 'running' && state.status !== 'stopped') return experimentEnded(state.status);
  const open = openBatch(state);
  const data: ExperimentCancelled['data'] = {
    ...(reason !== undefined && { reason }),
    ...(open && { endsBatches: [open.batchId] }),
  };
  return [{ type: 'ExperimentCancelled', data }];
}

/** Total: an unknown type of event changes no state. */
function evolve(state: ExperimentState, event: ExperimentEvent): ExperimentState {
  if (event.type === 'ExperimentStarted') return begun(event.data);
  if (!state) return state;
  switch (event.type) {
    case 'ExperimentBatchRequested':
      return { ...state, batches: [...state.batches, event.data] };
    case 'ExperimentBatchEnded':
      return ended(state, event.data);
    case 'ExperimentBatchFailed':
      return state.status === 'cancelled'
        ? state
        : { ...state, status: 'failed', failure: event.data.failure };
    case 'ExperimentResumed': {
      const { stoppedBy: _, ...going } = state;
      return { ...going, status: 'running', caps: { ...state.caps, ...event.data } };
    }
    case 'ExperimentCancelled':
      return { ...state, status: 'cancelled' };
    default:
      event satisfies never;
      return state;
  }
}

function begun(started: ExperimentStarted['data']): Experiment {
  const { maxCalls, maxCostUSD } = started;
  return {
    started,
    status: asksOf(started) === 0 ? 'completed' : 'running',
    caps: present({ maxCalls, maxCostUSD }),
    batches: [],
    next: 0,
    spent: NOTHING_SPENT,
  };
}

function ended(
  state: Experiment,
  { batchId, answers, spent, stoppedBy }: ExperimentBatchEnded['data'],
): Experiment {
  const batches = state.batches.map((batch) => (batch.batchId === batchId ? { ...batch, answers } : batch));
  const next = state.next + answers.length;
  const isWhole = next >= asksOf(state.started);
  const isStopped = stoppedBy === 'calls' || stoppedBy === 'cost';
  const status = isWhole ? 'completed' : isStopped ? 'stopped' : state.status;
  return {
    ...state,
    batches,
    next,
    spent: addSpent(state.spent, spent),
    status: state.status === 'cancelled' ? state.status : status,
    ...(status === 'stopped' && stoppedBy && { stoppedBy }),
  };
}

export function addSpent(one: ExperimentSpent, other: ExperimentSpent): ExperimentSpent {
  return {
    calls: one.calls + other.calls,
    inputTokens: one.inputTokens + other.inputTokens,
    outputTokens: one.outputTokens + other.outputTokens,
    costUSD: one.costUSD + other.costUSD,
  };
}
