import { type JsonObject, jsonText } from '#lib/kernel';

/** A call of a tool in the form of a completion. Arguments that are text are sent unchanged. */
export interface CompletedToolCall {
  readonly name: string;
  readonly arguments: object | string;
}

/** The message of a completion that calls tools. */
export function toolCallsMessage(
  calls: readonly CompletedToolCall[],
  content: string | null = null,
): JsonObject {
  const toolCalls = calls.map(({ name, arguments: given }, index) => ({
    id: `call_${index + 1}`,
    type: 'function',
    function: { name, arguments: typeof given === 'string' ? given : JSON.stringify(given) },
  }));
  return { role: 'assistant', content, tool_calls: toolCalls };
}

/** The body of a completion with this message, in the form of the API. */
export function completionBody(message: object, finishReason: string, model: string, usage?: object): string {
  const choices = [{ index: 0, message, finish_reason: finishReason }];
  return JSON.stringify({
    id: 'chatcmpl-scripted',
    object: 'chat.completion',
    created: 0,
    model,
    choices,
    usage,
  });
}

/** A message as server-sent events, with its text in these parts. */
export function streamedBody(message: JsonObject, finishReason: string, parts: readonly string[]): string {
  const { content: _, tool_calls: calls, ...begin } = message;
  const numbered = Array.isArray(calls) && calls.map((call, index) => ({ index, ...(call as JsonObject) }));
  const deltas: readonly JsonObject[] = [
    begin,
    ...parts.map((content) => ({ content })),
    ...(numbered ? [{ tool_calls: numbered }] : []),
  ];
  const chunk = (delta: JsonObject, finish: string | null) =>
    `data: ${jsonText({ choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
  return `${deltas.map((delta) => chunk(delta, null)).join('')}${chunk({}, finishReason)}data: [DONE]\n\n`;
}
