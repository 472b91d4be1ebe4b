import { sql } from 'kysely';
import type { CallRung } from '#lib/decisions/solicitation';
import { optional, uuid } from '../store/columns.js';
import { updateRow } from '../store/row-changes.js';
import { statement } from '../store/statement.js';
import { pick } from '../store/table.js';
import { llmCallsTable, SUBJECT } from './llm-calls.tables.js';

/** A run that may call models, about what its parent is about. */
export const addRun = statement(
  { run_id: uuid, workflow: 'text', parent_run_id: optional(uuid) },
  (db, { parent_run_id, ...run }) => {
    const parent = db.selectFrom('llm_call_runs_v11 as parent').where('parent.run_id', '=', parent_run_id);
    return db.insertInto('llm_call_runs_v11').values({
      ...run,
      ...Object.fromEntries(SUBJECT.map((column) => [column, parent.select(column)])),
      is_evaluation: sql<number>`coalesce(${parent.select('is_evaluation')}, 0)`,
      fallbacks: 0,
    });
  },
);

/** The columns of a call that its request gives; its subject was given when its run started. */
const requestedColumns = pick(llmCallsTable.columns, [
  'call_id',
  'run_id',
  'step_id',
  'rung',
  'round',
  'provider',
  'model',
  'attempt',
  'price',
  'day',
  'requested_at',
  'position',
]);

/** Refused if the run never started: a request without one cannot be. */
export const addRequestedCall = statement(requestedColumns, (db, values) => {
  const started = db.selectFrom('llm_call_runs_v11 as run').where('run.run_id', '=', values.run_id);
  const solicited = started.select('run.run_id').where('run.solicitation_id', 'is not', null);
  const before = started
    .innerJoin('llm_calls_v11 as before', (join) =>
      join
        .onRef('before.round_id', '=', 'run.round_id')
        .onRef('before.solicitation_id', '=', 'run.solicitation_id'),
    )
    .select('before.call_id')
    .where('before.provider', '=', values.provider)
    .where('before.model', '=', values.model);
  return db.insertInto('llm_calls_v11').values((eb) => ({
    ...values,
    ...Object.fromEntries(SUBJECT.map((column) => [column, started.select(column)])),
    workflow: started.select('workflow'),
    is_evaluation: started.select('is_evaluation'),
    cache_read_tokens: 0,
    cache_write_tokens: 0,
    reasoning_tokens: 0,
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
  }));
});

/** Rungs on which no tools are offered. */
export const TEXT_RUNGS: readonly CallRung[] = ['text', 'structured'];

const completedColumns = {
  ...pick(llmCallsTable.columns, [
    'call_id',
    'response_status',
    'response_encoding',
    'resolved_model',
    'prompt_tokens',
    'completion_tokens',
    'cache_read_tokens',
    'cache_write_tokens',
    'reasoning_tokens',
    'duration_ms',
    'first_token_ms',
    'error',
    'malformed_arguments',
    'completed_at',
  ]),
  /** The outcome by the rung on which the call was made; `as_run` if it is of no solicitation. */
  as_text: 'text',
  as_tools: 'text',
  as_run: 'text',
} as const;

export const completeCall = statement(
  completedColumns,
  (db, { call_id, malformed_arguments, as_text, as_tools, as_run, ...answer }) =>
    db
      .updateTable('llm_calls_v11')
      .set((eb) => ({
        ...answer,
        outcome: eb
          .case()
          .when('rung', 'in', TEXT_RUNGS)
          .then(as_text)
          .when('rung', 'is', null)
          .then(as_run)
          .else(as_tools)
          .end(),
        malformed_arguments: eb
          .case()
          .when('rung', 'in', TEXT_RUNGS)
          .then(eb.lit(0))
          .else(malformed_arguments)
          .end(),
      }))
      .where('call_id', '=', call_id),
);

export const failCall = updateRow(
  llmCallsTable,
  ['call_id'],
  [
    'response_status',
    'response_encoding',
    'response_incomplete',
    'duration_ms',
    'error',
    'outcome',
    'completed_at',
  ],
);

/** The last reply of a solicitation is classified. Malformed arguments count in no other class. */
export const markInvalidArguments = statement({ solicitation_id: uuid }, (db, { solicitation_id }) =>
  db
    .updateTable('llm_calls_v11')
    .set({ invalid_arguments: 1 })
    .where('malformed_arguments', '=', 0)
    .where('position', '=', (eb) =>
      eb
        .selectFrom('llm_call_runs_v11 as asked')
        .innerJoin('llm_calls_v11 as call', (join) =>
          join
            .onRef('call.round_id', '=', 'asked.round_id')
            .onRef('call.solicitation_id', '=', 'asked.run_id'),
        )
        .select(({ fn }) => fn.max('call.position').as('last'))
        .where('asked.run_id', '=', solicitation_id),
    ),
);

export const removeRunWithoutFallbacks = statement({ run_id: uuid }, (db, { run_id }) =>
  db.deleteFrom('llm_call_runs_v11').where('run_id', '=', run_id).where('fallbacks', '=', 0),
);

export const countFallback = statement({ run_id: uuid }, (db, { run_id }) =>
  db
    .updateTable('llm_call_runs_v11')
    .set((eb) => ({ fallbacks: eb('fallbacks', '+', 1) }))
    .where('run_id', '=', run_id),
);
