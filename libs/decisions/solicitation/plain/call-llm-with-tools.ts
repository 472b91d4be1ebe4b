import { explain, type JsonObject, parseJsonObject } from '#lib/kernel';
import { type ApiUsage, type ChatTool, modelBody, parseModelId } from '#lib/call-rules';
import { chatMessages, plainCall, usageMember } from './plain-call.js';
import type { LlmAudit } from './llm-audit.js';

/** The model answered, and called no tool. */
export class NoToolCallError extends Error {
  override readonly name = 'NoToolCallError';

  /**
   * @param content the text of the reply, "" if it has none
   * @param usage as the reply reports it, if it does
   */
  constructor(
    readonly content: string,
    readonly usage?: ApiUsage,
  ) {
    super(explain('NoToolCallError', 'reply of the model', 'it calls no tool', 'Read its text in `content`'));
  }
}

/** The first tool that the model called. */
export interface ToolCallResult {
  readonly name: string;
  /** `{}` if they were not a JSON object. */
  readonly arguments: JsonObject;
  /** The text beside the call, "" without one. */
  readonly reasoning: string;
  readonly usage?: ApiUsage;
}

/**
 * Asks a model to call one of `tools`, at temperature 0. Key and base URL are those of the environment at the call; flags of the
 * model id are not sent, and do not exclude tools.
 * @throws NoToolCallError if the model answered without a tool call; otherwise as `callLlm`.
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
  const body = { ...modelBody({ model }, question, { temperature: 0 }), tools, tool_choice: 'auto' };
  const { content, toolCall, usage } = await plainCall(body, audit);
  if (!toolCall) throw new NoToolCallError(content, usageMember(usage).usage);
  const { name, argumentsText } = toolCall;
  return { name, arguments: parseJsonObject(argumentsText) ?? {}, reasoning: content, ...usageMember(usage) };
}
