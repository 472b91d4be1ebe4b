import type { Rejection } from '#lib/kernel';
import { type Page, pageOf, type PageRequest } from '../paging/page.js';
import { textFromStored } from '../row/stored-text.js';
import { timeFromStored } from '../row/stored-time.js';
import type { Rows } from '../store/rows.js';
import type { RowOf } from '../store/table.js';
import type { webhookCallsTable } from './webhook-calls.tables.js';

/** One call of a webhook, and the location of its bodies. Times are ISO 8601, UTC. */
export interface WebhookCallRow {
  readonly location: { readonly stream: string; readonly stepId: string };
  readonly callId: string;
  readonly sessionId: string;
  /** Of the solicitation or the arbitration. */
  readonly workflowId: string;
  readonly specialistId: string;
  readonly machineName: string;
  /** `strategy`: a choice. `context`: of a model. `verdict`: of an arbiter. */
  readonly purpose: 'strategy' | 'context' | 'verdict';
  /** From 1. */
  readonly attempt: number;
  readonly url: string;
  /** `null` while nothing came. */
  readonly responseStatus: number | null;
  /** As of calls to models. */
  readonly responseIncomplete?: true;
  readonly responseEncoding?: 'base64';
  readonly durationMs: number | null;
  readonly error: string | null;
  /** `completed`: a reply of any text with a status of success. */
  readonly outcome: 'pending' | 'completed' | 'failed';
  readonly requestedAt: string;
  readonly completedAt?: string;
}

/** The webhook calls of a session, oldest first. */
export function listWebhookCallsOfSession(
  db: Rows<'webhook_calls'>,
  sessionId: string,
  request: PageRequest = {},
): Promise<Page<WebhookCallRow> | Rejection> {
  return pageOf(request, {
    list: 'webhook-calls-of-session',
    read: (after, limit) => {
      const all = db.selectFrom('webhook_calls_v2').selectAll().where('session_id', '=', sessionId);
      const rest = after === undefined ? all : all.where('position', '>', after);
      return rest.orderBy('position').limit(limit).execute();
    },
    keyOf: (row) => row.position,
    toItems: (rows) => rows.map(webhookCallRow),
  });
}

function webhookCallRow(row: RowOf<typeof webhookCallsTable>): WebhookCallRow {
  return {
    location: { stream: row.stream, stepId: row.step_id },
    callId: row.call_id,
    sessionId: row.session_id,
    workflowId: row.workflow_id,
    specialistId: row.specialist_id,
    machineName: row.machine_name,
    purpose: row.purpose as WebhookCallRow['purpose'],
    attempt: row.attempt,
    url: textFromStored(row.url),
    responseStatus: row.response_status,
    ...(row.response_incomplete === 1 && { responseIncomplete: true as const }),
    ...(row.response_encoding !== null && { responseEncoding: 'base64' as const }),
    durationMs: row.duration_ms,
    error: row.error === null ? null : textFromStored(row.error),
    outcome: row.outcome as WebhookCallRow['outcome'],
    requestedAt: timeFromStored(row.requested_at),
    ...(row.completed_at !== null && { completedAt: timeFromStored(row.completed_at) }),
  };
}
