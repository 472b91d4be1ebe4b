import { type LlmCallCompleted, type LlmCallFailed, readReply } from '#lib/call-rules';
import { type Event, isJsonObject, jsonText } from '#lib/kernel';
import {
  callIdOf,
  type DocOf,
  type FoldOf,
  type FoldPage,
  type Folds,
  llmCalls,
  type ReadModel,
  withoutCopies,
} from '#lib/read-models';
import type { FallbackTaken } from '#lib/decisions/solicitation';
import { givenUpEnd, type RunEnd, type WorkflowEnded, type WorkflowGivenUp } from '#lib/workflow';
import { bucketOf } from './duration-buckets.js';
import { callMeters, tallies } from './meters.tables.js';

type Call = DocOf<(typeof llmCalls)['table']>;
type Answered = LlmCallCompleted | LlmCallFailed;

const callOf = ({ data }: Event, runId: string) => {
  const { stepId } = data as { readonly stepId: string };
  return [[llmCalls, callIdOf(runId, stepId)]] as const;
};

const onRun: Folds<Answered | FallbackTaken | WorkflowEnded | WorkflowGivenUp> = {
  LlmCallCompleted: callFold((call, { data }) => {
    if (call.outcome !== 'failed') return 'completed';
    const reply = readReply(data);
    if (reply.kind !== 'failed') return 'completed';
    return reply.failure.kind === 'http-error' ? httpOutcome(data.status) : reply.failure.kind;
  }),
  LlmCallFailed: callFold((_, { data }) => data.failure.kind),
  FallbackTaken: (page, { data }) => count(page, 'fallback', data.reason),
  WorkflowEnded: (page, { data }, _, workflow) => ended(page, workflow, data),
  WorkflowGivenUp: (page, { data }, _, workflow) => ended(page, workflow, givenUpEnd(data)),
};

/** Folds the outcome of a call, whose row is filled before. */
function callFold<E extends Answered>(outcomeOf: (call: Call, event: E) => string): FoldOf<E> {
  return {
    needs: callOf,
    fold: (page, event, runId) => {
      const call = page.see(llmCalls, callIdOf(runId, event.data.stepId));
      if (call) countCall(page, call, outcomeOf(call, event), event.number);
    },
  };
}

function countCall(page: FoldPage, call: Call, outcome: string, number: number): void {
  const { provider, model, price, attempt } = call;
  const prompt = call.promptTokens ?? undefined;
  const output = call.completionTokens ?? undefined;
  const durationMs = outcome === 'interrupted' ? undefined : (call.durationMs ?? undefined);
  const isPriced = prompt !== undefined && output !== undefined && price;
  page.count(callMeters, {
    provider,
    model,
    outcome,
    price: isPriced ? jsonText(price) : '',
    bucketMs: bucketOf(durationMs),
    calls: 1,
    retries: attempt > 1 ? 1 : 0,
    durationMs: durationMs ?? 0,
    inputUncached: (prompt ?? 0) - call.cacheReadTokens - call.cacheWriteTokens,
    cacheRead: call.cacheReadTokens,
    cacheWrite: call.cacheWriteTokens,
    output: output ?? 0,
    reasoning: call.reasoningTokens,
    number,
  });
}

/** The status of a throttled call, else the class of the status. */
function httpOutcome(status: number): string {
  if (status === 429) return 'http-429';
  return status >= 400 && status <= 599 ? `http-${Math.floor(status / 100)}xx` : 'http-other';
}

/** Adds one to a tally. */
function count(page: FoldPage, meter: string, label: string, detail = ''): void {
  page.count(tallies, { meter, label, detail, total: 1 });
}

function ended(page: FoldPage, workflow: string, run: Pick<RunEnd, 'status' | 'failure' | 'result'>): void {
  count(page, 'run', workflow, run.status);
  if (isEndedByBudget(run)) count(page, 'budget-refusal', workflow);
}

/** A run ends as failed if its budget did not allow a call; a planner that has used up its own budget completes. */
function isEndedByBudget({ failure, result = null }: Pick<RunEnd, 'failure' | 'result'>): boolean {
  return failure?.kind === 'budget' || (isJsonObject(result) && result['stopReason'] === 'budget');
}

/** Counters over the whole log, updated with each event: a read costs the same for a log of any length. */
export const metersModel: ReadModel<'meters'> = {
  name: 'meters',
  kinds: [callMeters, tallies],
  sees: ['llm_calls', 'sessions'],
  on: {},
  onRuns: withoutCopies(onRun),
};
