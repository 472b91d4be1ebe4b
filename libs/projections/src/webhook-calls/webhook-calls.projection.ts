import {
  readWebhookText,
  type ReceivedReply,
  type WebhookCallCompleted,
  type WebhookCallFailed,
  type WebhookCallRequested,
} from '#lib/calls';
import { derivedId, type RecordedEvent } from '#lib/kernel';
import { storedText } from '../row/stored-text.js';
import { storedTime } from '../row/stored-time.js';
import type { Handlers, Projection } from '../runner/projection.js';
import { insertRow } from '../store/insert-row.js';
import type { Change } from '../store/statement.js';
import { updateRow } from '../store/update-row.js';
import { webhookCallsTable } from './webhook-calls.tables.js';

const addCall = insertRow(webhookCallsTable);

const answer = updateRow(
  webhookCallsTable,
  ['call_id'],
  [
    'outcome',
    'response_status',
    'response_encoding',
    'response_incomplete',
    'duration_ms',
    'error',
    'completed_at',
  ],
);

/** Of any run: its request says on whose behalf it calls. */
const onRun: Handlers<WebhookCallRequested | WebhookCallCompleted | WebhookCallFailed> = {
  WebhookCallRequested: (event, runId) => [requested(event, runId)],
  WebhookCallCompleted: (event, runId) => [completed(event, runId)],
  WebhookCallFailed: (event, runId) => [failed(event, runId)],
};

function requested(
  { data, stream, occurredAt, position, metadata }: RecordedEvent<WebhookCallRequested>,
  runId: string,
): Change {
  return addCall({
    call_id: derivedId(runId, data.stepId),
    session_id: metadata.correlationId,
    workflow_id: runId,
    stream,
    step_id: data.stepId,
    specialist_id: data.specialistId,
    machine_name: data.machineName,
    purpose: data.purpose,
    attempt: data.attempt,
    url: storedText(data.url),
    outcome: 'pending',
    response_status: null,
    response_encoding: null,
    response_incomplete: 0,
    duration_ms: null,
    error: null,
    requested_at: storedTime(occurredAt),
    completed_at: null,
    position,
  });
}

function completed({ data, occurredAt }: RecordedEvent<WebhookCallCompleted>, runId: string): Change {
  const read = readWebhookText(data);
  return answer({
    call_id: derivedId(runId, data.stepId),
    outcome: read.kind === 'text' ? 'completed' : 'failed',
    ...received(data),
    response_incomplete: 0,
    duration_ms: data.durationMs,
    error: read.kind === 'failed' ? storedText(read.failure.message) : null,
    completed_at: storedTime(occurredAt),
  });
}

function failed({ data, occurredAt }: RecordedEvent<WebhookCallFailed>, runId: string): Change {
  return answer({
    call_id: derivedId(runId, data.stepId),
    outcome: 'failed',
    ...received(data.received),
    response_incomplete: data.received ? 1 : 0,
    duration_ms: data.failure.durationMs,
    error: storedText(data.failure.message),
    completed_at: storedTime(occurredAt),
  });
}

function received(reply: ReceivedReply | undefined) {
  return {
    response_status: reply?.status ?? null,
    response_encoding: reply?.body.encoding === 'base64' ? 'base64' : null,
  };
}

/** Every call of a webhook, of proposers and of arbiters. The streams of the runs hold the bodies. */
export const webhookCallsProjection: Projection<'webhook_calls'> = {
  name: 'webhook_calls',
  version: 2,
  tables: [webhookCallsTable],
  on: { solicitation: onRun, arbitration: onRun },
};
