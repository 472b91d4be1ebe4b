import {
  readWebhookText,
  type WebhookCallCompleted,
  type WebhookCallFailed,
  type WebhookCallRequested,
} from '#lib/call-rules';
import { derivedId, type RecordedEvent, type Rejection } from '#lib/kernel';
import { answerColumns, received } from '../llm-calls/answer.columns.js';
import type { Items, Page, PageRequest } from '../store/page.js';
import { pageOfRows } from '../store/page-of-rows.js';
import type { Handlers, Projection } from '../runner/projection.js';
import { freeText, hidden, time, word, uuid } from '../store/columns.js';
import { insertRow, updateRow } from '../store/row-changes.js';
import type { Rows } from '../store/rows.js';
import { storedUuid } from '../store/stored-values.js';
import { recordOf, type RecordOf, table } from '../store/table.js';

export const webhookCallsTable = table(
  'webhook_calls_v2',
  {
    call_id: uuid,
    session_id: uuid,
    /** The id of the solicitation or the arbitration. */
    workflow_id: uuid,
    /** The location of its bodies. */
    stream: 'text',
    step_id: 'text',
    specialist_id: 'text',
    machine_name: 'text',
    /** `strategy`: a choice. `context`: of a model. `verdict`: of an arbiter. */
    purpose: word<'strategy' | 'context' | 'verdict'>(),
    /** From 1. */
    attempt: 'integer',
    url: freeText,
    /** `completed`: a reply of any text with a status of success. */
    outcome: word<'pending' | 'completed' | 'failed'>(),
    ...answerColumns,
    requested_at: time,
    /** The position of its request: the order of lists. */
    position: hidden('text'),
  },
  ['call_id'],
  [['session_id', 'position']],
);

const ANSWER = ['outcome', ...(Object.keys(answerColumns) as (keyof typeof answerColumns)[])] as const;

const addCall = insertRow(webhookCallsTable);
const answer = updateRow(webhookCallsTable, ['call_id'], ANSWER);

/** The handlers for any run: its request says on whose behalf it calls. */
const onRun: Handlers<WebhookCallRequested | WebhookCallCompleted | WebhookCallFailed> = {
  WebhookCallRequested: requested,
  WebhookCallCompleted: completed,
  WebhookCallFailed: failed,
};

function requested(event: RecordedEvent<WebhookCallRequested>, runId: string) {
  const { data, stream, occurredAt, position, metadata } = event;
  const { stepId, specialistId, machineName, purpose, attempt, url } = data;
  return [
    addCall({
      callId: derivedId(runId, stepId),
      sessionId: metadata.correlationId,
      workflowId: runId,
      stream,
      stepId,
      specialistId,
      machineName,
      purpose,
      attempt,
      url,
      outcome: 'pending',
      responseIncomplete: false,
      requestedAt: occurredAt,
      position,
    }),
  ];
}

function completed({ data, occurredAt }: RecordedEvent<WebhookCallCompleted>, runId: string) {
  const read = readWebhookText(data, occurredAt);
  return [
    answer({
      callId: derivedId(runId, data.stepId),
      outcome: read.kind === 'text' ? 'completed' : 'failed',
      ...received(data, false),
      durationMs: data.durationMs,
      error: read.kind === 'failed' ? read.failure.message : null,
      completedAt: occurredAt,
    }),
  ];
}

function failed({ data, occurredAt }: RecordedEvent<WebhookCallFailed>, runId: string) {
  return [
    answer({
      callId: derivedId(runId, data.stepId),
      outcome: 'failed',
      ...received(data.received, data.received !== undefined),
      durationMs: data.failure.durationMs,
      error: data.failure.message,
      completedAt: occurredAt,
    }),
  ];
}

/** Every call of a webhook, of proposers and of arbiters. The streams of the runs hold the bodies. */
export const webhookCallsProjection: Projection<'webhook_calls'> = {
  name: 'webhook_calls',
  version: 2,
  tables: [webhookCallsTable],
  on: { solicitation: onRun, arbitration: onRun },
};

/** One call of a webhook. Times are ISO 8601, UTC. Its bodies are in `stream`. */
export type WebhookCallRow = RecordOf<typeof webhookCallsTable>;

/** The webhook calls of a session, oldest first. */
export function listWebhookCallsOfSession<Item>(
  db: Rows<'webhook_calls'>,
  sessionId: string,
  request: PageRequest,
  show: (calls: readonly WebhookCallRow[]) => Items<Item>,
): Promise<Page<Item> | Rejection> {
  return pageOfRows(request, {
    list: 'webhook-calls-of-session',
    rows: db.selectFrom('webhook_calls_v2').selectAll().where('session_id', '=', storedUuid(sessionId)),
    table: webhookCallsTable,
    by: 'position',
    toItems: (rows) => show(rows.map((row) => recordOf(webhookCallsTable, row))),
  });
}
