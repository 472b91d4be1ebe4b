import { isJsonObject, type Json, type JsonObject, jsonText, sha256 } from '#lib/kernel';
import type { MessageEntry } from './llm-call.events.js';

/** The parts that the stream of a run already holds, so that a request refers to them. All values are JSON texts. */
export interface LlmMemory {
  /** Messages of the open requests and of the newest ones, by step id, oldest first. */
  readonly lists: ReadonlyMap<string, readonly string[]>;
  /** Requests without an outcome. */
  readonly open: ReadonlySet<string>;
  /** Assistant messages, by the step id of the call that was answered with them. */
  readonly replies: ReadonlyMap<string, string>;
  /** Results of calls of any other activity, by step id: contents of tool messages. */
  readonly results: ReadonlyMap<string, string>;
  /** Tools, schemas and system messages, by the SHA-256 of their text. */
  readonly named: ReadonlyMap<string, string>;
}

const REFERENCES = ['reply', 'result', 'sha256', 'literal'] as const;

/** A message as a request holds it: a reference where the stream has it and the reference is shorter. */
export function entryOf(text: string, memory: LlmMemory): MessageEntry {
  const value = JSON.parse(text) as Json;
  const reference = replyEntry(text, memory) ?? resultEntry(value, memory) ?? namedEntry(text, memory);
  return reference && jsonText(reference).length < text.length ? reference : literal(value);
}

/** The JSON text of a message. Total: what refers to nothing known is null. */
export function entryText(entry: MessageEntry, memory: LlmMemory): string {
  if (!isReference(entry)) return jsonText(entry);
  if ('literal' in entry) return jsonText(entry['literal']);
  if ('sha256' in entry) return held(memory.named, entry['sha256']) ?? 'null';
  if ('reply' in entry) return held(memory.replies, entry['reply']) ?? 'null';
  const content = held(memory.results, entry['result']) ?? null;
  return jsonText(toolMessage(entry['tool_call_id'] ?? null, content));
}

/** A member of the body, such as the tools: by its hash where an earlier request holds it. */
export function memberEntry(value: Json, memory: LlmMemory): Json {
  return namedEntry(jsonText(value), memory) ?? literal(value);
}

export function memberValue(value: Json, memory: LlmMemory): Json {
  return JSON.parse(entryText(value, memory)) as Json;
}

function replyEntry(text: string, { replies }: LlmMemory) {
  const found = [...replies].findLast(([, reply]) => reply === text);
  return found && { reply: found[0] };
}

function resultEntry(value: Json, { results }: LlmMemory) {
  if (!isJsonObject(value) || value['role'] !== 'tool') return undefined;
  const { tool_call_id: id = null, content } = value;
  const found = [...results].findLast(([, result]) => result === content);
  if (!found || typeof id !== 'string') return undefined;
  const isWhole = jsonText(toolMessage(id, found[1])) === jsonText(value);
  return isWhole ? { result: found[0], tool_call_id: id } : undefined;
}

function namedEntry(text: string, { named }: LlmMemory) {
  const hash = sha256(text);
  return named.has(hash) ? { sha256: hash } : undefined;
}

function held(texts: ReadonlyMap<string, string>, key: Json | undefined): string | undefined {
  return typeof key === 'string' ? texts.get(key) : undefined;
}

function toolMessage(id: Json, content: Json): JsonObject {
  return { role: 'tool', tool_call_id: id, content };
}

function literal(value: Json): MessageEntry {
  return isReference(value) ? { literal: value } : value;
}

/** Messages have a role, and references have none. */
function isReference(value: MessageEntry): value is JsonObject {
  return (
    isJsonObject(value) &&
    !Object.hasOwn(value, 'role') &&
    REFERENCES.some((member) => Object.hasOwn(value, member))
  );
}
