import { type ApiUsage, modelBody, parseModelId } from '#lib/call-rules';
import { chatMessages, plainCall, usageMember } from './plain-call.js';
import type { LlmAudit } from './llm-audit.js';

/**
 * Asks a model for text, at temperature 0, without tools. Key and base URL are those of the environment at the call; flags of the
 * model id are not sent. `content` is "" if the reply has none.
 * @throws ConfigurationError without a key, before anything is sent; InvalidModelId; an Error about the missing completion: `LLM
 * API error (<status>)`, a body of another form, or the message of the network.
 */
export async function callLlm(
  modelId: string,
  systemMessage: string,
  userMessage: string,
  audit?: LlmAudit,
): Promise<{ content: string; usage?: ApiUsage }> {
  const { modelId: model } = parseModelId(modelId);
  const body = modelBody(
    { model },
    { messages: chatMessages(systemMessage, userMessage) },
    { temperature: 0 },
  );
  const { content, usage } = await plainCall(body, audit);
  return { content, ...usageMember(usage) };
}
