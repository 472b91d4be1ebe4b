import {
  DEFAULT_PROVIDER,
  type LlmCallCompleted,
  type LlmCallFailed,
  type LlmCallRequested,
  readReply,
  tokenBuckets,
  type Usage,
} from '#lib/call-rules';
import { isJsonObject, jsonText, type RecordedEvent } from '#lib/kernel';
import {
  type Change,
  deleteRow,
  type Handlers,
  insertOrMerge,
  insertRow,
  mergeRow,
  pick,
  type Projection,
  statement,
} from '#lib/read-models';
import type { ConsensusReached, SessionEvent, TransitionExecuted } from '#lib/decisions/session';
import type { FallbackTaken } from '#lib/decisions/solicitation';
import { givenUpEnd, type RunEnd, type WorkflowEnded, type WorkflowGivenUp } from '#lib/workflow';
import { bucketOf } from './duration-buckets.js';
import { callMetersTable, type MeterTables, openCallsTable, talliesTable } from './meters.tables.js';

const SUMS = ['duration_ms', 'input_uncached', 'cache_read', 'cache_write', 'output', 'reasoning'] as const;

/** A call with its outcome; its request gave the rest. */
const endedCall = {
  ...pick(openCallsTable.columns, ['run_id', 'step_id']),
  ...pick(callMetersTable.columns, ['outcome', 'bucket_ms', ...SUMS, 'position']),
} as const;

/** Refused if the call was never requested: an outcome without a request cannot be. */
function countCall(isPriced: boolean) {
  return statement(endedCall, (db, { run_id, step_id, ...call }) => {
    const open = db
      .withTables<MeterTables>()
      .selectFrom('open_calls_v1')
      .where('run_id', '=', run_id)
      .where('step_id', '=', step_id);
    const row = {
      ...call,
      provider: open.select('provider'),
      model: open.select('model'),
      price: isPriced ? open.select('price') : '',
      calls: 1,
      retries: open.select('is_retry'),
    };
    return insertOrMerge(db, callMetersTable, row, { add: ['calls', 'retries', ...SUMS] });
  });
}

const countPricedCall = countCall(true);

/** Without a price, or the usage is not known. */
const countUnpricedCall = countCall(false);

const closeCall = deleteRow(openCallsTable, ['run_id', 'step_id']);

/** One more. */
const addToTally = mergeRow(talliesTable, { add: ['total'] });

const count = (meter: string, label: string, detail = '') => addToTally({ meter, label, detail, total: 1 });

type RunMeterEvent =
  LlmCallRequested | LlmCallCompleted | LlmCallFailed | FallbackTaken | WorkflowEnded | WorkflowGivenUp;

const addOpenCall = insertRow(openCallsTable);

const onSession: Handlers<SessionEvent> = {
  ConsensusReached: ({ data }) => [decided(hasPerson(data) ? 'agreement' : 'models')],
  HumanOverrideAccepted: () => [decided('person')],
  TransitionExecuted: ({ data }) => (isOperators(data) ? [decided('operator')] : []),
};

function onRun(workflow: string): Handlers<RunMeterEvent> {
  return {
    LlmCallRequested: requested,
    LlmCallCompleted: completed,
    LlmCallFailed: failed,
    FallbackTaken: ({ data }) => [count('fallback', data.reason)],
    WorkflowEnded: ({ data }) => ended(workflow, data),
    WorkflowGivenUp: ({ data }) => ended(workflow, givenUpEnd(data.reason)),
  };
}

function decided(how: string): Change {
  return count('decision', how);
}

/** A person had proposed the transition that won. */
function hasPerson({ proposals, winningProposalId }: ConsensusReached['data']): boolean {
  const winner = proposals.find(({ proposalId }) => proposalId === winningProposalId);
  return proposals.some((one) => one.isHuman && one.transitionName === winner?.transitionName);
}

/** The decisions of arbiters and of people have a separate event. */
function isOperators({ decidedBy }: TransitionExecuted['data']): boolean {
  return decidedBy === 'operator';
}

function requested({ data }: RecordedEvent<LlmCallRequested>, runId: string): Change[] {
  const { model } = data.body as { readonly model?: unknown };
  return [
    addOpenCall({
      runId,
      stepId: data.stepId,
      provider: data.provider ?? DEFAULT_PROVIDER,
      model: typeof model === 'string' ? model : '',
      price: data.price ? jsonText(data.price) : '',
      isRetry: (data.attempt ?? 1) > 1,
    }),
  ];
}

function completed(event: RecordedEvent<LlmCallCompleted>, runId: string): Change[] {
  const { data } = event;
  const reply = readReply(data);
  const failure = reply.kind === 'failed' ? reply.failure : undefined;
  const outcome = failure?.kind === 'http-error' ? httpOutcome(data.status) : (failure?.kind ?? 'completed');
  return outcomeOf(event, runId, outcome, data.durationMs, reply.usage);
}

function failed(event: RecordedEvent<LlmCallFailed>, runId: string): Change[] {
  const { kind, durationMs } = event.data.failure;
  return outcomeOf(event, runId, kind, kind === 'interrupted' ? undefined : durationMs);
}

/** Throttled calls by their status; all others by the class of their status. */
function httpOutcome(status: number): string {
  if (status === 429) return 'http-429';
  return status >= 400 && status <= 599 ? `http-${Math.floor(status / 100)}xx` : 'http-other';
}

function outcomeOf(
  { data: { stepId }, position }: RecordedEvent<LlmCallCompleted | LlmCallFailed>,
  runId: string,
  outcome: string,
  durationMs: number | undefined,
  usage: Usage = {},
): Change[] {
  const isPriced = usage.promptTokens !== undefined && usage.completionTokens !== undefined;
  const took = { bucketMs: bucketOf(durationMs), durationMs: durationMs ?? 0 };
  const countCall = isPriced ? countPricedCall : countUnpricedCall;
  return [
    countCall({ runId, stepId, outcome, ...took, ...tokenBuckets(usage), position }),
    closeCall({ runId, stepId }),
  ];
}

function ended(workflow: string, run: Pick<RunEnd, 'status' | 'failure' | 'result'>): Change[] {
  const end = count('run', workflow, run.status);
  return isEndedByBudget(run) ? [end, count('budget-refusal', workflow)] : [end];
}

/** A run whose call a budget did not allow fails; a planner that has used up its own completes. */
function isEndedByBudget({ failure, result = null }: Pick<RunEnd, 'failure' | 'result'>): boolean {
  return failure?.kind === 'budget' || (isJsonObject(result) && result['reason'] === 'budget');
}

/** Counters over the whole log, kept as it is written: a read costs the same for a log of any length. */
export const metersProjection: Projection<'meters'> = {
  name: 'meters',
  version: 1,
  tables: [openCallsTable, callMetersTable, talliesTable],
  on: { session: onSession },
  onRuns: onRun,
};
