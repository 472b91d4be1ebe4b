import { argumentsTextOf } from '../asked-arguments.rules.js';
import { assistantMessage } from '../llm/llm-memory.rules.js';
import { completionIn } from '../llm/completion.rules.js';
import type { Completion } from '../read-reply.js';
import { parseReplyObject } from '../parse-reply-json.js';
import type { StoredReply } from '../read-webhook-text.js';
import { isJsonObject, type Json, type JsonObject } from '#lib/kernel';

/** A tool call of an assistant message. */
export interface AskedCall {
  /** The provider's id. */
  readonly id: string;
  readonly name: string;
  /** The arguments as the model wrote them. */
  readonly argumentsText: string;
}

/** A model's answer. */
export interface AssistantTurn {
  /** The message in the form in which later requests repeat it. */
  readonly message: JsonObject;
  readonly content: string | null;
  readonly calls: readonly AskedCall[];
  readonly finishReason?: string;
}

/** The turn in a completion. */
export function readTurn(reply: StoredReply, { content }: Completion): AssistantTurn {
  return turnOf(assistantMessage(reply) ?? { role: 'assistant', content }, content, finishReasonOf(reply));
}

/** Arguments that are not a JSON object go back to the provider as `{}`, because some providers refuse other values. */
function turnOf(message: JsonObject, text: string, finishReason: string | undefined): AssistantTurn {
  const { tool_calls: listed } = message;
  const raw = Array.isArray(listed) ? (listed as readonly Json[]) : [];
  const calls = raw.map(readCall);
  const isAsCame = calls.every(({ repaired }) => repaired === undefined);
  return {
    message: isAsCame
      ? message
      : { ...message, tool_calls: raw.map((call, index) => calls[index]?.repaired ?? call) },
    content: message['content'] === null || message['content'] === undefined ? null : text,
    calls: calls.map(({ asked }) => asked),
    ...(finishReason !== undefined && { finishReason }),
  };
}

function readCall(call: Json, index: number): { readonly asked: AskedCall; readonly repaired?: JsonObject } {
  const { id, function: called, ...rest } = isJsonObject(call) ? call : {};
  const { name, arguments: given } = isJsonObject(called) ? called : {};
  const argumentsText = argumentsTextOf(call);
  const asked = {
    id: typeof id === 'string' ? id : `call_${index + 1}`,
    name: typeof name === 'string' ? name : '',
    argumentsText,
  };
  if (asked.id === id && asked.name === name && given === argumentsText && parseReplyObject(argumentsText))
    return { asked };
  const text = parseReplyObject(argumentsText) ? argumentsText : '{}';
  const repaired = {
    ...rest,
    id: asked.id,
    type: 'function',
    function: { name: asked.name, arguments: text },
  };
  return { asked, repaired };
}

function finishReasonOf({ body }: StoredReply): string | undefined {
  const choices = completionIn(body)?.['choices'];
  const [choice] = Array.isArray(choices) ? (choices as readonly Json[]) : [];
  const reason = isJsonObject(choice) ? choice['finish_reason'] : undefined;
  return typeof reason === 'string' ? reason : undefined;
}
