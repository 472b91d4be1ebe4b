import { type Json, type JsonObject, jsonText, sha256 } from '#lib/kernel';
import type { LlmCallInput, LlmCallRequested, MessagesDelta } from './llm-call.events.js';
import { entryOf, entryText, type LlmMemory, memberEntry, memberValue } from './llm-entries.rules.js';

// The body of a request is stored as what is new in it: messages after the longest beginning that it shares with an earlier
// request, and by reference what the run's stream holds already. `bodyOf` gives the body back, byte for byte.

type StoredBody = LlmCallRequested['data']['body'];

/** Members that are named by their hash when they come again. */
const NAMED_MEMBERS = new Set(['tools', 'response_format']);

/** The members of a request event that follow from its body and from the requests before it. */
export function storedBody(
  body: LlmCallInput['body'],
  memory: LlmMemory,
): Pick<LlmCallRequested['data'], 'body' | 'bodySha256'> {
  const messages = messagesDelta(body.messages.map(jsonText), memory);
  const members = mapMembers(body, (name, value) =>
    NAMED_MEMBERS.has(name) ? memberEntry(value, memory) : value,
  );
  return { body: { ...members, messages }, bodySha256: sha256(jsonText(body)) };
}

/** The body as it goes over the wire. @param memory after the request */
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

/** The texts of a request's messages: those it shares with an earlier request, and those that it adds. */
export function addedTexts(
  { after, first, add }: MessagesDelta,
  memory: LlmMemory,
): { readonly before: readonly string[]; readonly added: readonly string[] } {
  const earlier = after === null ? [] : (memory.lists.get(after) ?? []);
  return { before: earlier.slice(0, first), added: add.map((entry) => entryText(entry, memory)) };
}

/** The texts of the members that may be named. */
export function namedMembers(body: StoredBody, memory: LlmMemory): readonly string[] {
  return Object.entries(body).flatMap(([name, value]) =>
    NAMED_MEMBERS.has(name) && value !== undefined ? [entryText(value, memory)] : [],
  );
}

function messagesDelta(texts: readonly string[], memory: LlmMemory): MessagesDelta {
  const { after, shared } = longestShared(texts, memory);
  const add = texts.slice(shared).map((text) => entryOf(text, memory));
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
