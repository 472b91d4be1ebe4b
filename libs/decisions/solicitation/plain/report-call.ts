import { randomUUID } from 'node:crypto';
import { type LlmCallFailed, readReply, USUAL_REQUEST_HEADERS } from '#lib/call-rules';
import { type JsonObject, present } from '#lib/kernel';
import type { LlmOutcome, Redactor } from '#lib/activities';
import type { LlmAudit, LlmAuditEntry } from './llm-audit.js';

interface ReportedCall {
  readonly request: { readonly requestUrl: string; readonly requestBody: JsonObject };
  readonly outcome: LlmOutcome;
  /** The start of the call. */
  readonly timestamp: Date;
}

/** Reports one call to the audit. A failure of the audit does not affect the call. */
export async function reportCall(
  audit: LlmAudit | undefined,
  call: ReportedCall,
  redactor: Redactor,
): Promise<void> {
  try {
    await audit?.record(redactor.json(entryOf(audit, call)));
  } catch {
    // An audit that throws never breaks the audited call.
  }
}

function entryOf(
  { sessionId, specialistId, machineName }: LlmAudit,
  { request, outcome, timestamp }: ReportedCall,
): LlmAuditEntry {
  return {
    auditEntryId: randomUUID(),
    timestamp: timestamp.toISOString(),
    requestUrl: request.requestUrl,
    requestBody: request.requestBody,
    ...('completed' in outcome ? replied(outcome.completed) : unanswered(outcome.failed)),
    ...present({ sessionId, specialistId, machineName }),
  };
}

function replied(data: Extract<LlmOutcome, { completed: object }>['completed']) {
  const reply = readReply(data);
  return {
    requestHeaders: data.requestHeaders ?? USUAL_REQUEST_HEADERS,
    responseStatus: data.status,
    responseBody: data.body.content,
    durationMs: data.durationMs,
    error: reply.kind === 'failed' ? reply.failure.message : null,
    ...(reply.kind === 'completion' &&
      reply.resolvedModel !== undefined && { resolvedModel: reply.resolvedModel }),
  };
}

function unanswered({ failure, received, requestHeaders = {} }: Omit<LlmCallFailed['data'], 'stepId'>) {
  const { durationMs, message: error } = failure;
  const [responseStatus, responseBody] = [received?.status ?? null, received?.body.content ?? null];
  return { requestHeaders, responseStatus, responseBody, durationMs, error };
}
