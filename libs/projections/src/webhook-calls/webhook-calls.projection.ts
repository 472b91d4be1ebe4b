import {
  readWebhookText,
  type ReceivedReply,
  type RecordedReply,
  type WebhookCall,
  type WebhookCallCompleted,
  type WebhookCallFailed,
} from '#lib/calls';
import { derivedId, type Event, jsonText, type RecordedEvent } from '#lib/kernel';
import type { SolicitationEvent, SolicitationStarted, WebhookCallRequested } from '#lib/solicitation';
import { storedText } from '../row/stored-text.js';
import { storedTime } from '../row/stored-time.js';
import type { Handler, Handlers, Projection } from '../runner/projection.js';
import { insertRow } from '../store/insert-row.js';
import { type Change, statement } from '../store/statement.js';
import type { RowOf } from '../store/table.js';
import { webhookCallersTable, webhookCallsTable } from './webhook-calls.tables.js';

type WebhookRequestOfRun = Event<'WebhookCallRequested', { readonly stepId: string } & WebhookCall>;

type Row = RowOf<typeof webhookCallsTable>;

const addCaller = insertRow(webhookCallersTable);

type Requested = Pick<
  Row,
  'call_id' | 'workflow_id' | 'purpose' | 'attempt' | 'url' | 'request_body' | 'requested_at' | 'position'
>;

/** Refused where the workflow never started: a request without one cannot be. */
const addRequested = statement<Requested>((db, given) => {
  const caller = db
    .selectFrom('webhook_callers_v1')
    .where('webhook_callers_v1.workflow_id', '=', given.workflow_id);
  return db.insertInto('webhook_calls_v1').values({
    ...columnsOf(given),
    session_id: caller.select('session_id'),
    specialist_id: caller.select('specialist_id'),
    machine_name: caller.select('machine_name'),
    outcome: 'pending',
    response_incomplete: 0,
  });
});

/** `given` knows its members by name alone. */
function columnsOf(given: Requested): Requested {
  const { call_id, workflow_id, purpose, attempt, url, request_body, requested_at, position } = given;
  return { call_id, workflow_id, purpose, attempt, url, request_body, requested_at, position };
}

type Answer = Pick<
  Row,
  | 'call_id'
  | 'outcome'
  | 'response_status'
  | 'response_body'
  | 'response_encoding'
  | 'response_incomplete'
  | 'duration_ms'
  | 'error'
  | 'completed_at'
>;

const answer = statement<Answer>((db, given) =>
  db
    .updateTable('webhook_calls_v1')
    .set({
      outcome: given.outcome,
      response_status: given.response_status,
      response_body: given.response_body,
      response_encoding: given.response_encoding,
      response_incomplete: given.response_incomplete,
      duration_ms: given.duration_ms,
      error: given.error,
      completed_at: given.completed_at,
    })
    .where('call_id', '=', given.call_id),
);

const onSolicitation: Handlers<SolicitationEvent> = {
  SolicitationStarted: ({ data }, workflowId) =>
    callsWebhook(data)
      ? [caller(workflowId, data.sessionId, data.specialistId, data.context.machineName ?? '')]
      : [],
  WebhookCallRequested: (event, workflowId) => [requested(event, workflowId, event.data.purpose)],
  WebhookCallCompleted: (event) => [completed(event, event.data)],
  WebhookCallFailed: (event) => [failed(event)],
};

/** Any run: its request says on whose behalf it calls. */
const onRun: Handler<Event> = (event, runId) => {
  switch (event.type) {
    case 'WebhookCallRequested':
      return [requestedByRun(event as RecordedEvent<WebhookRequestOfRun>, runId)];
    case 'WebhookCallCompleted': {
      const reply = event as RecordedEvent<WebhookCallCompleted>;
      return [completed(inRun(reply, runId), reply.data)];
    }
    case 'WebhookCallFailed':
      return [failed(inRun(event as RecordedEvent<WebhookCallFailed>, runId))];
    default:
      return [];
  }
};

const addCall = insertRow(webhookCallsTable);

function requestedByRun(
  { data, occurredAt, position, metadata }: RecordedEvent<WebhookRequestOfRun>,
  runId: string,
): Change {
  return addCall({
    call_id: derivedId(runId, data.stepId),
    session_id: metadata.correlationId,
    workflow_id: runId,
    specialist_id: data.specialistId,
    machine_name: data.machineName,
    purpose: data.purpose,
    attempt: data.attempt,
    url: storedText(data.url),
    request_body: jsonText(data.requestBody),
    outcome: 'pending',
    response_status: null,
    response_body: null,
    response_encoding: null,
    response_incomplete: 0,
    duration_ms: null,
    error: null,
    requested_at: storedTime(occurredAt),
    completed_at: null,
    position,
  });
}

/** With the id that the call has in rows. */
function inRun<Data extends { readonly stepId: string }>(
  event: RecordedEvent<Event<string, Data>>,
  runId: string,
) {
  return { ...event, data: { ...event.data, callId: derivedId(runId, event.data.stepId) } };
}

function callsWebhook({ proposer }: SolicitationStarted['data']): boolean {
  return (
    proposer.kind === 'webhook' || (proposer.kind === 'model' && 'contextWebhookUrl' in proposer.context)
  );
}

type WebhookRequest = RecordedEvent<WebhookCallRequested>;

function caller(
  workflow_id: string,
  session_id: string,
  specialist_id: string,
  machine_name: string,
): Change {
  return addCaller({ workflow_id, session_id, specialist_id, machine_name });
}

function requested(
  { data, occurredAt, position }: WebhookRequest,
  workflowId: string,
  purpose: string,
): Change {
  return addRequested({
    call_id: data.callId,
    workflow_id: workflowId,
    purpose,
    attempt: data.attempt,
    url: storedText(data.url),
    request_body: jsonText(data.requestBody),
    requested_at: storedTime(occurredAt),
    position,
  });
}

function completed(
  { occurredAt, data }: RecordedEvent & { readonly data: { readonly callId: string } },
  reply: RecordedReply,
): Change {
  const read = readWebhookText(reply);
  return answer({
    call_id: data.callId,
    outcome: read.kind === 'text' ? 'completed' : 'failed',
    ...received(reply),
    response_incomplete: 0,
    duration_ms: reply.durationMs,
    error: read.kind === 'failed' ? storedText(read.failure.message) : null,
    completed_at: storedTime(occurredAt),
  });
}

function failed({
  occurredAt,
  data,
}: RecordedEvent & {
  readonly data: {
    readonly callId: string;
    readonly failure: { readonly message: string; readonly durationMs: number };
    readonly received?: ReceivedReply;
  };
}): Change {
  return answer({
    call_id: data.callId,
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
    response_body: reply ? storedText(reply.body.content) : null,
    response_encoding: reply?.body.encoding === 'base64' ? 'base64' : null,
  };
}

/** Every call of a webhook, of proposers and of arbiters, as it went over the wire and came back. */
export const webhookCallsProjection: Projection<'webhook_calls'> = {
  name: 'webhook_calls',
  version: 1,
  tables: [webhookCallersTable, webhookCallsTable],
  on: { solicitation: onSolicitation, arbitration: onRun },
};
