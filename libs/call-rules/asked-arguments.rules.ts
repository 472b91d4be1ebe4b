import type { ActivityEvent } from '#lib/workflow';
import type { DeclaredMembers } from '#lib/event-store';
import { isJsonObject, type Json, type JsonObject, jsonText, sha256 } from '#lib/kernel';
import { assistantMessage } from './llm/llm-memory.rules.js';
import { parseReplyObject } from './parse-reply-json.js';
import type { StoredReply } from './read-webhook-text.js';

// The reply of the model holds the arguments of its tool calls. Events after the reply refer to it.

/** A tool call in a reply: the step of the model call, and the number of the tool call in its reply, from 1. */
export type AskedIn = { readonly reply: string; readonly call: number };

export const askedInMembers = {
  reply: 'structure',
  call: 'structure',
} as const satisfies DeclaredMembers<AskedIn>;

/** The texts of the arguments in the newest replies, by the step of the model call. */
export type AskedArguments = ReadonlyMap<string, readonly string[]>;

const MOST_REPLIES = 16;
/** A reference is not shorter than a shorter text. */
const SHORTEST = 160;

/** The memory before a reply asks for a tool. */
export const noArguments: AskedArguments = new Map();

/** Total: takes the events of every activity of a run. */
export function evolveArguments(known: AskedArguments, { type, data }: ActivityEvent): AskedArguments {
  if (type !== 'LlmCallCompleted') return known;
  const calls = assistantMessage(data as object as StoredReply)?.['tool_calls'];
  if (!Array.isArray(calls)) return known;
  const newest = [...known].slice(1 - MOST_REPLIES);
  return new Map([...newest, [data.stepId, (calls as readonly Json[]).map(argumentsTextOf)]]);
}

/** The arguments as the model wrote them; their JSON text if they are not a text. */
export function argumentsTextOf(call: Json): string {
  const called = isJsonObject(call) ? call['function'] : undefined;
  const given = isJsonObject(called) ? called['arguments'] : undefined;
  return typeof given === 'string' ? given : jsonText(given ?? '');
}

/** Whether events refer to the reply for these arguments. */
export function isLongArguments(argumentsText: string): boolean {
  return argumentsText.length >= SHORTEST;
}

/** A call with its arguments by reference, if the reply has the same text. Arguments that a person replaced stay. */
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
