import { type ApiUsage, apiUsage, type Completion, readReply, type Usage } from '#lib/call-rules';
import type { JsonObject } from '#lib/kernel';
import type { Messages } from '../prompts.js';
import { chatUrl, LlmCalls, llmSecrets, Redactor } from '#lib/activities';
import { CALL_TIMEOUT_MS, environmentLlm } from './environment-llm.js';
import type { LlmAudit } from './llm-audit.js';
import { reportCall } from './report-call.js';

/**
 * One call outside of any workflow, reported to the audit.
 * @throws ConfigurationError before a request is sent or reported; an Error with the failure's message without a completion.
 */
export async function plainCall(requestBody: JsonObject, audit: LlmAudit | undefined): Promise<Completion> {
  const config = environmentLlm();
  const request = {
    timeoutMs: CALL_TIMEOUT_MS,
    requestUrl: chatUrl(config),
    requestBody,
  };
  const timestamp = new Date();
  const outcome = await new LlmCalls(config).perform(request, new AbortController().signal);
  await reportCall(audit, { request, outcome, timestamp }, new Redactor(llmSecrets(config)));
  if ('failed' in outcome) throw new Error(outcome.failed.failure.message);
  const reply = readReply(outcome.completed);
  if (reply.kind === 'failed') throw new Error(reply.failure.message);
  const { content, toolCall, stopped } = reply;
  if (stopped && content === '' && !toolCall) throw new Error(stopped.message);
  return reply;
}

export function chatMessages(systemMessage: string, userMessage: string): Messages {
  return [
    { role: 'system', content: systemMessage },
    { role: 'user', content: userMessage },
  ];
}

/** The usage as a member of a result; absent if the reply reports none. */
export function usageMember(usage: Usage | undefined): { usage?: ApiUsage } {
  return usage ? { usage: apiUsage(usage) } : {};
}
