import { table } from '../store/table.js';

/** The subject of the calls of a run that has not ended: a child has the subject of its parent. */
export const llmCallRunsTable = table(
  'llm_call_runs_v10',
  {
    run_id: 'text',
    workflow: 'text',
    solicitation_id: 'text?',
    session_id: 'text?',
    /** Of the session: the decision that the call is for. */
    round_id: 'text?',
    /** 1 for the calls of an evaluation's samples. */
    is_evaluation: 'integer',
    specialist_id: 'text?',
    specialist_version: 'integer?',
    machine_name: 'text?',
    fallbacks: 'integer',
  },
  ['run_id'],
);

export const llmCallsTable = table(
  'llm_calls_v10',
  {
    call_id: 'text',
    run_id: 'text',
    workflow: 'text',
    session_id: 'text?',
    /** Of the session: the decision that the call is for. */
    round_id: 'text?',
    /** 1 for the calls of an evaluation's samples. */
    is_evaluation: 'integer',
    solicitation_id: 'text?',
    step_id: 'text',
    specialist_id: 'text?',
    specialist_version: 'integer?',
    machine_name: 'text?',
    /** Of a solicitation. */
    rung: 'text?',
    /** Of a run that works in rounds. */
    round: 'integer?',
    provider: 'text',
    /** Its name at the provider. */
    model: 'text',
    /** Over all models of one question, from 1. */
    attempt: 'integer',
    resolved_model: 'text?',
    response_status: 'integer?',
    /** `base64` where the body is not UTF-8, or is content-encoded. */
    response_encoding: 'text?',
    /** 1 where the body is not whole or cannot be decoded. */
    response_incomplete: 'integer',
    duration_ms: 'double precision?',
    /** Of a reply that was streamed. */
    first_token_ms: 'double precision?',
    error: 'text?',
    outcome: 'text',
    /** 1 for the first call of its solicitation to its model. */
    is_first: 'integer',
    /** 1 where the arguments of its tool call are no JSON object. */
    malformed_arguments: 'integer',
    /** 1 where they are one that does not fit the transition's parameters. */
    invalid_arguments: 'integer',
    /** As the reply reports it. */
    prompt_tokens: 'double precision?',
    completion_tokens: 'double precision?',
    /** Disjoint parts of the prompt, and a part of the completion; 0 where none is reported. */
    cache_read_tokens: 'double precision',
    cache_write_tokens: 'double precision',
    reasoning_tokens: 'double precision',
    /** JSON text: the one in force at the request. */
    price: 'text?',
    /** Start of the UTC day of its request. */
    day: 'bigint',
    requested_at: 'bigint',
    completed_at: 'bigint?',
    /** Of its request: the order of lists. */
    position: 'bigint',
  },
  ['call_id'],
  [
    ['position'],
    ['run_id', 'position'],
    ['workflow', 'position'],
    ['session_id', 'position'],
    ['specialist_id', 'position'],
    ['specialist_id', 'day'],
    ['model', 'position'],
    ['solicitation_id'],
    ['requested_at'],
  ],
);
