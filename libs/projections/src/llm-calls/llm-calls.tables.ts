import { table } from '../store/table.js';

/** The specialist of each solicitation that asks a model. */
export const llmCallSolicitationsTable = table(
  'llm_call_solicitations_v4',
  {
    solicitation_id: 'text',
    session_id: 'text',
    specialist_id: 'text',
    specialist_version: 'integer',
    machine_name: 'text',
    model: 'text',
    fallbacks: 'integer',
  },
  ['solicitation_id'],
  [['model']],
);

export const llmCallsTable = table(
  'llm_calls_v4',
  {
    call_id: 'text',
    session_id: 'text',
    solicitation_id: 'text',
    /** The position of the event with its bodies. */
    stream: 'text',
    step_id: 'text',
    specialist_id: 'text',
    specialist_version: 'integer',
    machine_name: 'text',
    rung: 'text',
    model: 'text',
    resolved_model: 'text?',
    request_url: 'text',
    request_headers: 'text',
    response_status: 'integer?',
    /** `base64` where the body is not UTF-8, or is content-encoded. */
    response_encoding: 'text?',
    /** 1 where the body is not whole or cannot be decoded. */
    response_incomplete: 'integer',
    duration_ms: 'double precision?',
    error: 'text?',
    outcome: 'text',
    /** 1 where the arguments of its tool call are no JSON object. */
    malformed_arguments: 'integer',
    /** 1 where they are one that does not fit the transition's parameters. */
    invalid_arguments: 'integer',
    prompt_tokens: 'double precision?',
    completion_tokens: 'double precision?',
    /** Start of the UTC day of its request. */
    day: 'bigint',
    requested_at: 'bigint',
    completed_at: 'bigint?',
    /** Of its request: the order of lists. */
    position: 'text',
  },
  ['call_id'],
  [['position'], ['session_id', 'position'], ['specialist_id', 'position'], ['model', 'position']],
);
