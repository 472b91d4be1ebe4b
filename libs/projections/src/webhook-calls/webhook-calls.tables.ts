import { table } from '../store/table.js';

export const webhookCallsTable = table(
  'webhook_calls_v2',
  {
    call_id: 'text',
    session_id: 'text',
    workflow_id: 'text',
    /** The location of its bodies. */
    stream: 'text',
    step_id: 'text',
    specialist_id: 'text',
    machine_name: 'text',
    purpose: 'text',
    attempt: 'integer',
    url: 'text',
    outcome: 'text',
    response_status: 'integer?',
    /** `base64` where the body is not UTF-8, or is content-encoded. */
    response_encoding: 'text?',
    /** 1 where the body is not whole or cannot be decoded. */
    response_incomplete: 'integer',
    duration_ms: 'double precision?',
    error: 'text?',
    requested_at: 'bigint',
    completed_at: 'bigint?',
    /** Of its request: the order of lists. */
    position: 'text',
  },
  ['call_id'],
  [['session_id', 'position']],
);
