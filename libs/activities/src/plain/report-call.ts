import { randomUUID } from 'node:crypto';
import { type LlmCallCompleted, type LlmCallFailed, type LlmCallRequested } from '#lib/solicitation';
import { readReply } from '#lib/calls';
import type { Redactor } from '../redaction/redactor.js';
import type { LlmAudit, LlmAuditEntry } from './llm-audit.js';

/** One call as it was asked for, and as it came out. */
export interface ReportedCall {
  readonly request: Pick<LlmCallRequested['data'], 'requestUrl' | 'requestBody'>;
  readonly outcome: LlmCallCompleted | LlmCallFailed;
  /** When it began. */
  readonly timestamp: Date;
}

/** Tells the audit of one call. Whatever the audit does, the call stays what it was. */
export async function reportCall(
  audit: LlmAudit | undefined,
  call: ReportedCall,
  redactor: Redactor,
): Promise<void> {
  try {
    await audit?.record(redactor.json(entryOf(audit, call)));
  } catch {
    // An audit never breaks the call that it is told of.
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
    requestHeaders: outcome.data.requestHeaders ?? {},
    requestBody: request.requestBody,
    ...(outcome.type === 'LlmCallCompleted' ? replied(outcome) : unanswered(outcome)),
    ...(sessionId !== undefined && { sessionId }),
    ...(specialistId !== undefined && { specialistId }),
    ...(machineName !== undefined && { machineName }),
  };
}

function replied({ data }: LlmCallCompleted) {
  const reply = readReply(data);
  return {
    responseStatus: data.status,
    responseBody: data.body.content,
    durationMs: data.durationMs,
    error: reply.kind === 'failed' ? reply.failure.message : null,
    ...(reply.kind === 'completion' &&
      reply.resolvedModel !== undefined && { resolvedModel: reply.resolvedModel }),
  };
}

function unanswered({ data: { failure, received } }: LlmCallFailed) {
  const { durationMs, message: error } = failure;
  const [responseStatus, responseBody] = [received?.status ?? null, received?.body.content ?? null];
  return { responseStatus, responseBody, durationMs, error };
}
