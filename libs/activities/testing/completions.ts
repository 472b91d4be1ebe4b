import { completionBody, toolCallsMessage } from '../llm/completion-body.js';
import { reply, type ScriptedReply } from './scripted-reply.js';

/** The usage as the API reports it. Without it the reply has none. */
export interface ScriptedUsage {
  readonly prompt_tokens?: number;
  readonly completion_tokens?: number;
  readonly prompt_tokens_details?: { readonly cached_tokens?: number };
}

export interface CompletionOptions {
  readonly usage?: ScriptedUsage;
  /** The model that the reply names. */
  readonly model?: string;
}

/** A completion that calls one tool. Arguments that are text are sent unchanged. `content` is null by default. */
export function toolCall(
  name: string,
  args: object | string,
  { content = null, ...options }: CompletionOptions & { readonly content?: string | null } = {},
): ScriptedReply {
  return completion(toolCallsMessage([{ name, arguments: args }], content), 'tool_calls', options);
}

/** A completion that is text. An object is sent as its JSON text. */
export function text(content: string | object, options: CompletionOptions = {}): ScriptedReply {
  const written = typeof content === 'string' ? content : JSON.stringify(content);
  return completion({ role: 'assistant', content: written }, 'stop', options);
}

/** A completion with any message. */
export function completion(
  message: object,
  finishReason: string,
  { usage, model = 'scripted-model' }: CompletionOptions = {},
): ScriptedReply {
  return reply({ body: completionBody(message, finishReason, model, usage) });
}
