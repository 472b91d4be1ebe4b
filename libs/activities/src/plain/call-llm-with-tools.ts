import { type JsonObject, parseJsonObject } from '#lib/kernel';
import { type ChatTool, modelBody, parseModelId } from '#lib/models';
import { chatMessages } from './chat-messages.js';
import { type ChatUsage, usageMember } from './chat-usage.js';
import type { LlmAudit } from './llm-audit.js';
import { NoToolCallError } from './no-tool-call-error.js';
import { plainCall } from './plain-call.js';

/** The first tool that the model called. */
export interface ToolCallResult {
  readonly name: string;
  /** `{}` where they were no JSON object. */
  readonly arguments: JsonObject;
  /** The text beside the call, "" where there is none. */
  readonly reasoning: string;
  readonly usage?: ChatUsage;
}

/**
 * Asks a model to call one of `tools`, at temperature 0. Key and base URL are those of the environment now; flags of the model id
 * are not sent, and do not take the tools away.
 * @throws NoToolCallError when the model answered and called none; otherwise as `callLlm`.
 */
export async function callLlmWithTools(
  modelId: string,
  systemMessage: string,
  userMessage: string,
  tools: readonly ChatTool[],
  audit?: LlmAudit,
): Promise<ToolCallResult> {
  const { modelId: model } = parseModelId(modelId);
  const question = { messages: chatMessages(systemMessage, userMessage) };
  const body = { ...modelBody({ model }, question, { temperature: 0 }), ...toolMembers(tools) };
  const { content, toolCall, usage } = await plainCall(body, audit);
  if (!toolCall) throw new NoToolCallError(content, usageMember(usage).usage);
  const { name, argumentsText } = toolCall;
  return { name, arguments: parseJsonObject(argumentsText) ?? {}, reasoning: content, ...usageMember(usage) };
}

function toolMembers(tools: readonly ChatTool[]): JsonObject {
  return { tools, tool_choice: 'auto' };
}
