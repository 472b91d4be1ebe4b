import { isJsonObject, type Json, type JsonObject, jsonText, sha256 } from '#lib/kernel';
import type { KeptMap } from '#lib/workflow';
import type { LlmCallInput, LlmCallRequested, MessageEntry, MessagesDelta } from './llm-call.events.js';

/** The parts that a run's stream already holds, so that a request can refer to them. All values are JSON texts. */
export interface LlmMemory {
  /** Messages of the open requests and of the newest ones, by step id, oldest first. */
  readonly lists: ReadonlyMap<string, readonly string[]>;
  /** Requests without an outcome. */
  readonly open: ReadonlySet<string>;
  /** The assistant messages in the replies to calls. */
  readonly replies: StepTexts;
  /** The results of calls of other activities, as contents of tool messages. */
  readonly results: StepTexts;
  /** Tools, schemas and system messages, by the SHA-256 of their text. */
  readonly named: KeptMap<string>;
}

/** The texts with which steps ended. */
export interface StepTexts {
  readonly byStep: KeptMap<string>;
  /** The newest step that ended with a text, by the SHA-256 of the text. */
  readonly steps: KeptMap<string>;
}

const REFERENCES = ['reply', 'result', 'sha256', 'literal'] as const;

/** A message in the form of a request: a reference, if the stream has the message and the reference is shorter. */
function entryOf(value: Json, text: string, memory: LlmMemory): MessageEntry {
  const reference = replyEntry(text, memory) ?? resultEntry(value, memory) ?? namedEntry(text, memory);
  return reference && jsonText(reference).length < text.length ? reference : literal(value);
}

/** The JSON text of a message. Total: an unknown reference gives null. */
function entryText(entry: MessageEntry, memory: LlmMemory): string {
  if (!isReference(entry)) return jsonText(entry);
  if ('literal' in entry) return jsonText(entry['literal']);
  if ('sha256' in entry) return held(memory.named, entry['sha256']) ?? 'null';
  if ('reply' in entry) return held(memory.replies.byStep, entry['reply']) ?? 'null';
  const content = held(memory.results.byStep, entry['result']) ?? null;
  return jsonText(toolMessage(entry['tool_call_id'] ?? null, content));
}

/** A member of the body, such as the tools. It is named by its hash if an earlier request holds it. */
function memberEntry(value: Json, memory: LlmMemory): Json {
  if (memory.named.size === 0) return literal(value);
  return namedEntry(jsonText(value), memory) ?? literal(value);
}

function memberValue(value: Json, memory: LlmMemory): Json {
  return JSON.parse(entryText(value, memory)) as Json;
}

function replyEntry(text: string, { replies }: LlmMemory) {
  const reply = newestWith(text, replies);
  return reply === undefined ? undefined : { reply };
}

function resultEntry(value: Json, { results }: LlmMemory) {
  if (!isJsonObject(value) || value['role'] !== 'tool') return undefined;
  const { tool_call_id: id = null, content } = value;
  if (typeof id !== 'string' || typeof content !== 'string') return undefined;
  const result = newestWith(content, results);
  const isWhole = jsonText(toolMessage(id, content)) === jsonText(value);
  return result !== undefined && isWhole ? { result, tool_call_id: id } : undefined;
}

function newestWith(text: string, { steps }: StepTexts): string | undefined {
  return steps.size === 0 ? undefined : steps.get(sha256(text));
}

function namedEntry(text: string, { named }: LlmMemory) {
  if (named.size === 0) return undefined;
  const hash = sha256(text);
  return named.has(hash) ? { sha256: hash } : undefined;
}

function held(texts: KeptMap<string>, key: Json | undefined): string | undefined {
  return typeof key === 'string' ? texts.get(key) : undefined;
}

function toolMessage(id: Json, content: Json): JsonObject {
  return { role: 'tool', tool_call_id: id, content };
}

function literal(value: Json): MessageEntry {
  return isReference(value) ? { literal: value } : value;
}

/** Whether an entry is a reference: messages have a role, and references have none. */
function isReference(value: MessageEntry): value is JsonObject {
  return (
    isJsonObject(value) &&
    !Object.hasOwn(value, 'role') &&
    REFERENCES.some((member) => Object.hasOwn(value, member))
  );
}

// The body of a request is stored as its difference: the messages after the longest beginning that it shares with an earlier request, and references
// to the parts that the run's stream holds already. `bodyOf` gives the body back, byte for byte.

type StoredBody = LlmCallRequested['data']['body'];

/** Members that are named by their hash if they come again. */
const NAMED_MEMBERS = new Set(['tools', 'response_format']);

/** The members of a request event that follow from its body and from the requests before it. */
export function storedBody(
  body: LlmCallInput['body'],
  memory: LlmMemory,
): Pick<LlmCallRequested['data'], 'body' | 'bodySha256'> {
  const messages = messagesDelta(body.messages, memory);
  const members = mapMembers(body, (name, value) =>
    NAMED_MEMBERS.has(name) ? memberEntry(value, memory) : value,
  );
  return { body: { ...members, messages }, bodySha256: sha256(jsonText(body)) };
}

/** The body as it is sent. @param memory after the request */
export function bodyOf(
  { stepId, body }: Pick<LlmCallRequested['data'], 'stepId' | 'body'>,
  memory: LlmMemory,
): JsonObject {
  const messages = (memory.lists.get(stepId) ?? []).map((text) => JSON.parse(text) as Json);
  const members = mapMembers(body, (name, value) =>
    NAMED_MEMBERS.has(name) ? memberValue(value, memory) : value,
  );
  return { ...members, messages };
}

/** The texts of a request's messages: those that it shares with an earlier request, and those that it adds. */
export function addedTexts(
  { after, first, add }: MessagesDelta,
  memory: LlmMemory,
): { readonly before: readonly string[]; readonly added: readonly string[] } {
  const earlier = after === null ? [] : (memory.lists.get(after) ?? []);
  return { before: earlier.slice(0, first), added: add.map((entry) => entryText(entry, memory)) };
}

/** The texts of the members that can be named by their hash. */
export function namedMembers(body: StoredBody, memory: LlmMemory): readonly string[] {
  return Object.entries(body).flatMap(([name, value]) =>
    NAMED_MEMBERS.has(name) && value !== undefined ? [entryText(value, memory)] : [],
  );
}

function messagesDelta(messages: readonly Json[], memory: LlmMemory): MessagesDelta {
  const texts = messages.map(jsonText);
  const { after, shared } = longestShared(texts, memory);
  const add = texts
    .slice(shared)
    .map((text, index) => entryOf(messages[shared + index] as Json, text, memory));
  if (after === null) return { after, add };
  const isWhole = memory.lists.get(after)?.length === shared;
  return { after, ...(!isWhole && { first: shared }), add };
}

/** The newest of the requests that share the longest beginning. */
function longestShared(
  texts: readonly string[],
  { lists }: LlmMemory,
): { readonly after: string | null; readonly shared: number } {
  let best: { after: string | null; shared: number } = { after: null, shared: 0 };
  for (const [after, list] of lists) {
    const different = list.findIndex((text, index) => text !== texts[index]);
    const shared = different < 0 ? list.length : different;
    if (shared > 0 && shared >= best.shared) best = { after, shared };
  }
  return best;
}

function mapMembers(body: JsonObject, map: (name: string, value: Json) => Json): JsonObject {
  return Object.fromEntries(
    Object.entries(body).flatMap(([name, value]) => (value === undefined ? [] : [[name, map(name, value)]])),
  );
}
