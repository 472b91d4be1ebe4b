import type { PriceInForce } from '#lib/call-rules';
import type { CallRung } from '#lib/decisions/solicitation';
import { type Column, flag, freeText, hidden, json, optional, time, word, uuid } from '../store/columns.js';
import { dayOf, storedTime, timeFromStored } from '../store/stored-values.js';
import { type DocOf, type Documents, documents, type Ref, totals } from '../loop/declare.js';
import { foldedTable } from '../loop/folded-table.js';
import { answerColumns } from './answer.columns.js';

/**
 * The outcome of a call: `toolCall` a tool was called, known or not; `decision` decision JSON was read, on either rung;
 * `noToolCall` text without a decision when a tool was asked for; `unreadable` the same when text was; `failed` network, HTTP
 * error, or a body that is not a completion; `erased` a reply arrived, and was erased with its subject; `pending` no outcome yet.
 */
export type LlmCallOutcome =
  | 'toolCall'
  | 'decision'
  | 'noToolCall'
  | 'unreadable'
  | 'failed'
  | 'erased'
  | 'pending';

/** The origin of a call: a session or run, a fork of one, or the samples of an evaluation or experiment. */
export type CallOrigin = 'live' | 'fork' | 'evaluation' | 'experiment';

/** The solicitation of a run's calls; absent if neither the run nor a run above it belongs to one. */
const solicitationColumns = {
  solicitation_id: optional(uuid),
  session_id: optional(uuid),
  /** The round of the session for which the call was made. */
  round_id: hidden(optional(uuid)),
  specialist_id: 'text?',
  specialist_version: 'integer?',
  machine_name: 'text?',
} as const;

/** The columns for the calls of each run that has not ended. A run that belongs to no solicitation, fork or try has no row. */
export const llmCallRunsTable = foldedTable(
  'llm_call_runs',
  {
    run_id: uuid,
    ...solicitationColumns,
    origin: word<CallOrigin>(),
    /** Of a solicitation: the number of its fallbacks. */
    fallbacks: 'integer?',
    /** Of a solicitation: the first call to each model, with those of its children. */
    firsts: optional(json<{ readonly [model: string]: string }>()),
    /** Of a solicitation: its last call. */
    last_call: optional(uuid),
  },
  ['run_id'],
);

/** Start of the UTC day of a time. */
const day: Column<number, string, string> = {
  type: 'bigint',
  toStored: (iso) => dayOf(storedTime(iso)),
  fromStored: timeFromStored,
};

export const llmCallsTable = foldedTable(
  'llm_calls',
  {
    call_id: uuid,
    run_id: uuid,
    workflow: 'text',
    ...solicitationColumns,
    origin: hidden(word<CallOrigin>()),
    step_id: 'text',
    /** The rung of a solicitation. */
    rung: optional(word<CallRung>()),
    /** The round of a run that works in rounds, from 1. */
    round: 'integer?',
    provider: 'text',
    /** The model's name at the provider. */
    model: freeText,
    /** Counted over all models of one question, from 1. */
    attempt: 'integer',
    /** The model named in the reply. */
    resolved_model: optional(freeText),
    ...answerColumns,
    /** Milliseconds until the first part of the message in a streamed reply. */
    first_token_ms: 'double precision?',
    outcome: word<LlmCallOutcome>(),
    /** The first call of its solicitation to its model. */
    is_first: hidden(flag),
    /** The fallbacks of its solicitation, on the first call; else 0. */
    fallbacks: hidden('integer'),
    /** The arguments of the tool call are not a JSON object. */
    malformed_arguments: hidden(flag),
    /** The arguments do not fit the transition's parameters. */
    invalid_arguments: hidden(flag),
    /** As the reply reports them. */
    prompt_tokens: hidden('double precision?'),
    completion_tokens: hidden('double precision?'),
    /** Disjoint parts of the prompt, and a part of the completion; 0 if not reported. */
    cache_read_tokens: hidden('double precision'),
    cache_write_tokens: hidden('double precision'),
    reasoning_tokens: hidden('double precision'),
    /** The price in force at the request. */
    price: hidden(optional(json<PriceInForce>())),
    day: hidden(day),
    requested_at: time,
    /** The number of the request: the order of lists. */
    number: hidden('bigint'),
  },
  ['call_id'],
  [
    ['number'],
    ['run_id', 'number'],
    ['session_id', 'number'],
    ['specialist_id', 'number'],
    ['specialist_id', 'day'],
    ['model', 'number'],
    ['round_id'],
    ['requested_at'],
  ],
);

/** A UTC day, a machine ("" without one) and a model. */
const modelDay = {
  day: 'bigint',
  machine_name: 'text',
  origin: word<CallOrigin>(),
  provider: 'text',
  model: freeText,
} as const;

const sums = {
  calls: 'bigint',
  failed: 'bigint',
  pending: 'bigint',
  tool_calls: 'bigint',
  tools_answered: 'bigint',
  malformed: 'bigint',
  invalid: 'bigint',
  prompt: 'double precision',
  completion: 'double precision',
  cache_read: 'double precision',
  cache_write: 'double precision',
  reasoning: 'double precision',
  /** The number of calls with an outcome, and the sum of their durations. */
  timed: 'bigint',
  duration_ms: 'double precision',
  /** A solicitation counts on the day of its first call to the model, with all of its fallbacks. */
  solicitations: 'bigint',
  fallbacks: 'bigint',
} as const;

/** The columns of totals that are sums over calls. */
export const SUMMED = Object.keys(sums) as (keyof typeof sums)[];

/** The columns that name a row of totals, and of durations. */
export const TOTALS_KEY = ['day', 'machine_name', 'origin', 'provider', 'model', 'is_known'] as const;
export const DURATION_KEY = ['day', 'machine_name', 'origin', 'provider', 'model', 'duration_ms'] as const;

/** The sums over the calls to a model on a day. */
export const llmCallTotalsTable = foldedTable(
  'llm_call_totals',
  {
    ...modelDay,
    /** 1 for calls that report both token counts: only these have a cost. */
    is_known: 'integer',
    ...sums,
    deepest: 'bigint',
  },
  TOTALS_KEY,
);

/** The numbers of those calls by duration, in milliseconds of two significant digits. */
export const llmCallDurationsTable = foldedTable(
  'llm_call_durations',
  { ...modelDay, duration_ms: 'bigint', calls: 'bigint' },
  DURATION_KEY,
);

export type Call = DocOf<typeof llmCallsTable>;
export type RunOfCalls = DocOf<typeof llmCallRunsTable>;

export const llmCalls = documents(llmCallsTable, 'call_id');
export const llmCallRuns: Documents<typeof llmCallRunsTable> = documents(llmCallRunsTable, 'run_id', {
  refs: ({ runId, solicitationId, firsts, lastCall }): readonly Ref[] => {
    const above = solicitationId !== runId ? solicitationId : undefined;
    const calls = [...Object.values(firsts ?? {}), ...(typeof lastCall === 'string' ? [lastCall] : [])];
    return [
      ...(typeof above === 'string' ? [[llmCallRuns, above] as const] : []),
      ...calls.map((callId) => [llmCalls, callId] as const),
    ];
  },
});
export const llmCallTotals = totals(llmCallTotalsTable, { add: SUMMED, highest: ['deepest'] });
export const llmCallDurations = totals(llmCallDurationsTable, { add: ['calls'] });
