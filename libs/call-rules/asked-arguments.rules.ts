import type { ActivityEvent } from '#lib/workflow';
import type { DeclaredMembers } from '#lib/event-store';
import { isJsonObject, type Json, type JsonObject, jsonText, sha256 } from '#lib/kernel';
import { assistantMessage } from './llm/llm-memory.rules.js';
import { parseReplyObject } from './parse-reply-json.js';
import type { StoredReply } from './read-webhook-text.js';

// The reply of the model holds the arguments of its tool calls. Events after the reply refer to it.

/** A tool call in a reply: the step of the call of the model, and which of its tool calls, from 1. */
export type AskedIn = { readonly reply: string; readonly call: number };

export const askedInMembers = {
  reply: 'structure',
  call: 'structure',
} as const satisfies DeclaredMembers<AskedIn>;

/** Texts of the arguments that the newest replies ask for, by the step of the call of the model. */
export type AskedArguments = ReadonlyMap<string, readonly string[]>;

const MOST_REPLIES = 16;
/** A reference to a shorter text would be no shorter. */
const SHORTEST = 160;

/** Before any reply asked for a tool. */
export const noArguments: AskedArguments = new Map();

/** Total: takes the events of every activity of a run. */
export function evolveArguments(known: AskedArguments, { type, data }: ActivityEvent): AskedArguments {
  if (type !== 'LlmCallCompleted') return known;
  const calls = assistantMessage(data as object as StoredReply)?.['tool_calls'];
  if (!Array.isArray(calls)) return known;
  const newest = [...known].slice(1 - MOST_REPLIES);
  return new Map([...newest, [data.stepId, (calls as readonly Json[]).map(argumentsTextOf)]]);
}

/** As the model wrote them; what is not text is its JSON text. */
export function argumentsTextOf(call: Json): string {
  const called = isJsonObject(call) ? call['function'] : undefined;
  const given = isJsonObject(called) ? called['arguments'] : undefined;
  return typeof given === 'string' ? given : jsonText(given ?? '');
}

/** Whether events name the reply in place of the arguments in it. */
export function isLongArguments(argumentsText: string): boolean {
  return argumentsText.length >= SHORTEST;
}

/** A call with its arguments by reference, if the reply has the same text. Those that a person put in their place stay. */
export function referringToReply(call: JsonObject, known: AskedArguments): JsonObject {
  const { argumentsFrom, arguments: given = {}, argumentsText = jsonText(given), ...rest } = call;
  const text = textIn(argumentsFrom, known);
  const { argumentsFrom: _, ...whole } = call;
  if (argumentsFrom === undefined || text !== argumentsText || !isLongArguments(text)) return whole;
  const isAsAsked = jsonText(parseReplyObject(text) ?? {}) === jsonText(given);
  const own = isAsAsked ? { argumentsSha256: sha256(jsonText(given)) } : { arguments: given };
  return { ...rest, argumentsFrom, ...own };
}

/** @throws TypeError if the reply holds other arguments than when the call was requested */
export function argumentsOf(
  request: JsonObject,
  known: AskedArguments,
): { readonly arguments: JsonObject; readonly argumentsText: string } {
  const { arguments: own, argumentsText, argumentsFrom, argumentsSha256 } = request;
  const text = textIn(argumentsFrom, known) ?? argumentsText;
  const given = own ?? (typeof text === 'string' ? parseReplyObject(text) : undefined) ?? {};
  if (argumentsSha256 !== undefined && sha256(jsonText(given)) !== argumentsSha256)
    throw new TypeError('The arguments of the call are not those that were requested.');
  return { arguments: given as JsonObject, argumentsText: typeof text === 'string' ? text : jsonText(given) };
}

function textIn(from: Json | undefined, known: AskedArguments): string | undefined {
  if (!isJsonObject(from)) return undefined;
  const { reply, call } = from as Partial<AskedIn>;
  return known.get(reply ?? '')?.[(call ?? 0) - 1];
}
