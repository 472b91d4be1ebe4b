import {
  readWebhookText,
  type WebhookCallCompleted,
  type WebhookCallFailed,
  type WebhookCallRequested,
} from '#lib/call-rules';
import type { Event, Rejection } from '#lib/kernel';
import { answerColumns, received } from '../llm-calls/answer.columns.js';
import {
  documents,
  type Folds,
  type NumberedEvent,
  type Page,
  type ReadModel,
  type Ref,
} from '../loop/declare.js';
import { foldedTable } from '../loop/folded-table.js';
import { callIdOf } from '../llm-calls/call-id.js';
import { type Items, type Page as PageOf, type PageRequest } from '../store/page.js';
import { pageOfRows } from '../store/page-of-rows.js';
import { freeText, hidden, time, word, uuid } from '../store/columns.js';
import type { Rows } from '../store/rows.js';
import { storedUuid } from '../store/stored-values.js';
import { recordOf, type RecordOf, type SchemaOf } from '../store/table.js';

const webhookCallsTable = foldedTable(
  'webhook_calls',
  {
    call_id: uuid,
    session_id: uuid,
    /** The id of the solicitation or the arbitration. */
    workflow_id: uuid,
    /** The stream with its bodies. */
    stream: 'text',
    step_id: 'text',
    specialist_id: 'text',
    machine_name: 'text',
    /** `strategy`: a choice of a proposer. `context`: the context of a model. `verdict`: of an arbiter. */
    purpose: word<'strategy' | 'context' | 'verdict'>(),
    /** From 1. */
    attempt: 'integer',
    url: freeText,
    /** `completed`: a reply of any text with a status of success. */
    outcome: word<'pending' | 'completed' | 'failed'>(),
    ...answerColumns,
    requested_at: time,
    /** The number of the request: the order of lists. */
    number: hidden('bigint'),
  },
  ['call_id'],
  [['session_id', 'number']],
);

const webhookCalls = documents(webhookCallsTable, 'call_id', {
  isAtRest: ({ outcome }) => outcome !== 'pending',
});

const callOf = ({ data }: Event, runId: string): readonly Ref[] => {
  const { stepId } = data as { readonly stepId: string };
  return [[webhookCalls, callIdOf(runId, stepId)]];
};

/** The folds for any run: its requests name their purpose. */
const onRun: Folds<WebhookCallRequested | WebhookCallCompleted | WebhookCallFailed> = {
  WebhookCallRequested: { needs: callOf, fold: requested },
  WebhookCallCompleted: { needs: callOf, fold: completed },
  WebhookCallFailed: { needs: callOf, fold: failed },
};

function requested(page: Page, event: NumberedEvent<WebhookCallRequested>, runId: string): void {
  const { data, stream, occurredAt, number, metadata } = event;
  const { stepId, specialistId, machineName, purpose, attempt, url } = data;
  page.put(webhookCalls, {
    callId: callIdOf(runId, stepId),
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
    number,
  });
}

function completed(
  page: Page,
  { data, occurredAt: completedAt }: NumberedEvent<WebhookCallCompleted>,
  runId: string,
): void {
  const read = readWebhookText(data, completedAt);
  const call = page.change(webhookCalls, callIdOf(runId, data.stepId));
  if (!call) return;
  Object.assign(call, {
    outcome: read.kind === 'text' ? 'completed' : 'failed',
    ...received(data, false),
    durationMs: data.durationMs,
    error: read.kind === 'failed' ? read.failure.message : null,
    completedAt,
  });
}

function failed(
  page: Page,
  { data, occurredAt: completedAt }: NumberedEvent<WebhookCallFailed>,
  runId: string,
): void {
  const { durationMs, message: error } = data.failure;
  const call = page.change(webhookCalls, callIdOf(runId, data.stepId));
  const answer = received(data.received, data.received !== undefined);
  if (call) Object.assign(call, { ...answer, outcome: 'failed', durationMs, error, completedAt });
}

/** Every call of a webhook, of proposers and of arbiters. The streams of the runs have the bodies. */
export const webhookCallsModel: ReadModel<'webhook_calls'> = {
  name: 'webhook_calls',
  kinds: [webhookCalls],
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
): Promise<PageOf<Item> | Rejection> {
  return pageOfRows(request, {
    list: `webhook-calls of session ${sessionId}`,
    rows: db
      .withTables<SchemaOf<typeof webhookCallsTable>>()
      .selectFrom(webhookCallsTable.name)
      .selectAll()
      .where('session_id', '=', storedUuid(sessionId)),
    table: webhookCallsTable,
    by: 'number',
    toItems: (rows) => show(rows.map((row) => recordOf(webhookCallsTable, row))),
  });
}
