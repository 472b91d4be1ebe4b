import { sql } from 'kysely';
import { statement } from '../store/statement.js';
import type { RowOf } from '../store/table.js';
import type { llmCallRunsTable, llmCallsTable } from './llm-calls.tables.js';

type LlmCallRow = RowOf<typeof llmCallsTable>;

type StartedRun = Pick<RowOf<typeof llmCallRunsTable>, 'run_id' | 'workflow'> & {
  readonly parent_run_id: string | null;
};

/** A run that may call models, about what its parent is about. */
export const addRun = statement<StartedRun>((db, values) => {
  const parent = db
    .selectFrom('llm_call_runs_v10 as parent')
    .where('parent.run_id', '=', values.parent_run_id);
  return db.insertInto('llm_call_runs_v10').values({
    run_id: values.run_id,
    workflow: values.workflow,
    solicitation_id: parent.select('solicitation_id'),
    session_id: parent.select('session_id'),
    round_id: parent.select('round_id'),
    is_evaluation: sql<number>`coalesce(${parent.select('is_evaluation')}, 0)`,
    specialist_id: parent.select('specialist_id'),
    specialist_version: parent.select('specialist_version'),
    machine_name: parent.select('machine_name'),
    fallbacks: 0,
  });
});

/** The columns of a call that its request gives; its subject was given when its run started. */
type RequestedCall = Pick<
  LlmCallRow,
  | 'call_id'
  | 'run_id'
  | 'rung'
  | 'round'
  | 'provider'
  | 'model'
  | 'attempt'
  | 'price'
  | 'step_id'
  | 'day'
  | 'requested_at'
  | 'position'
>;

/** Rungs on which no tools are offered. */
const TEXT_RUNGS = ['text', 'structured'];

/** Refused where the run never started: a request without one cannot be. */
export const addRequestedCall = statement<RequestedCall>((db, values) => {
  const started = db.selectFrom('llm_call_runs_v10 as run').where('run.run_id', '=', values.run_id);
  const solicited = started.select('run.run_id').where('run.solicitation_id', 'is not', null);
  const before = started
    .innerJoin('llm_calls_v10 as before', 'before.solicitation_id', 'run.solicitation_id')
    .select('before.call_id')
    .where('before.provider', '=', values.provider)
    .where('before.model', '=', values.model);
  return db.insertInto('llm_calls_v10').values((eb) => ({
    call_id: values.call_id,
    run_id: values.run_id,
    workflow: started.select('workflow'),
    solicitation_id: started.select('solicitation_id'),
    session_id: started.select('session_id'),
    round_id: started.select('round_id'),
    is_evaluation: started.select('is_evaluation'),
    specialist_id: started.select('specialist_id'),
    specialist_version: started.select('specialist_version'),
    machine_name: started.select('machine_name'),
    rung: values.rung,
    round: values.round,
    price: values.price,
    provider: values.provider,
    model: values.model,
    attempt: values.attempt,
    cache_read_tokens: 0,
    cache_write_tokens: 0,
    reasoning_tokens: 0,
    step_id: values.step_id,
    response_incomplete: 0,
    outcome: 'pending',
    is_first: eb
      .case()
      .when(eb.exists(solicited))
      .then(eb.case().when(eb.exists(before)).then(0).else(1).end())
      .else(0)
      .end(),
    malformed_arguments: 0,
    invalid_arguments: 0,
    day: values.day,
    requested_at: values.requested_at,
    position: values.position,
  }));
});

type Answer = Pick<
  LlmCallRow,
  'call_id' | 'response_status' | 'response_encoding' | 'duration_ms' | 'error' | 'completed_at'
>;

/** The outcome by the rung on which the call was made; `asRun` where it is of no solicitation. */
type Outcomes = { readonly asText: string; readonly asTools: string; readonly asRun: string };

type CompletedCall = Answer &
  Outcomes &
  Pick<
    LlmCallRow,
    | 'malformed_arguments'
    | 'first_token_ms'
    | 'resolved_model'
    | 'prompt_tokens'
    | 'completion_tokens'
    | 'cache_read_tokens'
    | 'cache_write_tokens'
    | 'reasoning_tokens'
  >;

export const completeCall = statement<CompletedCall>((db, values) =>
  db
    .updateTable('llm_calls_v10')
    .set((eb) => ({
      response_status: values.response_status,
      response_encoding: values.response_encoding,
      resolved_model: values.resolved_model,
      prompt_tokens: values.prompt_tokens,
      completion_tokens: values.completion_tokens,
      cache_read_tokens: values.cache_read_tokens,
      cache_write_tokens: values.cache_write_tokens,
      reasoning_tokens: values.reasoning_tokens,
      duration_ms: values.duration_ms,
      first_token_ms: values.first_token_ms,
      error: values.error,
      outcome: eb
        .case()
        .when('rung', 'in', TEXT_RUNGS)
        .then(values.asText)
        .when('rung', 'is', null)
        .then(values.asRun)
        .else(values.asTools)
        .end(),
      malformed_arguments: eb
        .case()
        .when('rung', 'in', TEXT_RUNGS)
        .then(eb.lit(0))
        .else(values.malformed_arguments)
        .end(),
      completed_at: values.completed_at,
    }))
    .where('call_id', '=', values.call_id),
);

export const failCall = statement<Answer & Pick<LlmCallRow, 'response_incomplete'>>((db, values) =>
  db
    .updateTable('llm_calls_v10')
    .set({
      response_status: values.response_status,
      response_encoding: values.response_encoding,
      response_incomplete: values.response_incomplete,
      duration_ms: values.duration_ms,
      error: values.error,
      outcome: 'failed',
      completed_at: values.completed_at,
    })
    .where('call_id', '=', values.call_id),
);

/** The last reply of a solicitation is classified. Malformed arguments count in no other class. */
export const markInvalidArguments = statement<{ solicitationId: string }>((db, values) =>
  db
    .updateTable('llm_calls_v10')
    .set({ invalid_arguments: 1 })
    .where('solicitation_id', '=', values.solicitationId)
    .where('malformed_arguments', '=', 0)
    .where('position', '=', (eb) =>
      eb
        .selectFrom('llm_calls_v10 as other')
        .select(({ fn }) => fn.max('other.position').as('last'))
        .where('other.solicitation_id', '=', values.solicitationId),
    ),
);

export const countFallback = statement<{ solicitationId: string }>((db, values) =>
  db
    .updateTable('llm_call_runs_v10')
    .set((eb) => ({ fallbacks: eb('fallbacks', '+', 1) }))
    .where('run_id', '=', values.solicitationId),
);
