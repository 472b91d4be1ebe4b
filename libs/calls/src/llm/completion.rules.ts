import { isJsonObject, type Json, type JsonObject } from '#lib/kernel';
import { parseReplyObject, withoutByteOrderMark } from '../parse-reply-json.js';
import type { RecordedBody } from '../recorded-body.js';

/** A member of a completion that was streamed and came to no end: neither `[DONE]` nor a `finish_reason`. */
export const UNFINISHED = 'unfinished';

/** The completion in a body: its JSON object, or the one that its server-sent events make up. */
export function completionIn({ encoding, content }: RecordedBody): JsonObject | undefined {
  if (encoding !== 'utf8') return undefined;
  return isEventStream(content) ? assembled(content) : parseReplyObject(content);
}

/** The text that a chunk adds, for display. */
export function deltaText(chunk: JsonObject): string {
  const { content } = deltaIn(chunk);
  return typeof content === 'string' ? content : '';
}

/** Whether a chunk brings something of the message: text, reasoning, a refusal or a part of a call. */
export function bringsToken(chunk: JsonObject): boolean {
  return Object.entries(deltaIn(chunk)).some(
    ([name, value]) => name !== 'role' && value !== null && value !== '' && value !== undefined,
  );
}

/** The chunks of whole lines of server-sent events, `[DONE]` left out. */
export function chunksIn(lines: readonly string[]): readonly JsonObject[] {
  return lines.flatMap((line) => {
    const data = dataOf(line);
    const chunk = data === undefined ? undefined : parseReplyObject(data);
    return chunk ? [chunk] : [];
  });
}

/** JSON begins with none of these. */
function isEventStream(content: string): boolean {
  return /^\s*(?:data|event|id|retry)?:/.test(withoutByteOrderMark(content).slice(0, 1_000));
}

function assembled(content: string): JsonObject {
  const lines = content.split(/\r\n|\r|\n/);
  const chunks = chunksIn(lines);
  const error = chunks.find((chunk) => isJsonObject(chunk['error']));
  if (error) return error;
  const [first = {}] = chunks;
  const message = chunks.map(deltaIn).reduce(withDelta, { role: 'assistant', content: null });
  const finishReason = lastOf(chunks.map((chunk) => choiceIn(chunk)['finish_reason']));
  const usage = lastOf(chunks.map((chunk) => chunk['usage']));
  const isWhole = finishReason !== undefined || lines.some((line) => dataOf(line) === '[DONE]');
  const { choices: _choices, usage: _usage, ...head } = first;
  return {
    ...head,
    choices: [{ index: 0, message: finished(message), finish_reason: finishReason ?? null }],
    ...(usage !== undefined && { usage }),
    ...(!isWhole && { [UNFINISHED]: true }),
  };
}

function dataOf(line: string): string | undefined {
  return line.startsWith('data:') ? line.slice('data:'.length).trim() : undefined;
}

function lastOf(values: readonly (Json | undefined)[]): Json | undefined {
  return values.findLast((value) => value !== undefined && value !== null);
}

/** Only the first choice counts, as in replies that are not streamed. */
function choiceIn({ choices }: JsonObject): JsonObject {
  const all = Array.isArray(choices) ? (choices as readonly Json[]) : [];
  const choice = all.find((one) => isJsonObject(one) && (one['index'] ?? 0) === 0);
  return isJsonObject(choice) ? choice : {};
}

function deltaIn(chunk: JsonObject): JsonObject {
  const { delta } = choiceIn(chunk);
  return isJsonObject(delta) ? delta : {};
}

/** A message while it is put together: its calls by their index. */
type Message = JsonObject & { readonly calls?: { readonly [index: string]: JsonObject } };

/** Texts are continued, a role and what else comes replaces what was there. */
function withDelta(message: Message, delta: JsonObject): Message {
  const { tool_calls: parts, ...rest } = delta;
  const added = Object.entries(rest).map(([name, value]) => {
    const before = message[name];
    const isContinued = typeof value === 'string' && typeof before === 'string' && name !== 'role';
    return [name, isContinued ? before + value : (value ?? before ?? null)] as const;
  });
  const calls = (Array.isArray(parts) ? (parts as readonly Json[]) : []).reduce<
    NonNullable<Message['calls']>
  >(withPart, message.calls ?? {});
  return { ...message, ...Object.fromEntries(added), ...(Object.keys(calls).length > 0 && { calls }) };
}

function withPart(calls: NonNullable<Message['calls']>, part: Json): NonNullable<Message['calls']> {
  if (!isJsonObject(part)) return calls;
  const { index = Object.keys(calls).length, ...given } = part;
  const key = String(typeof index === 'number' ? index : 0);
  const before = calls[key] ?? {};
  const [called, calledBefore] = [given['function'], before['function']].map((one) =>
    isJsonObject(one) ? one : {},
  );
  const { arguments: more = '', ...named } = called ?? {};
  const { arguments: text = '', ...known } = calledBefore ?? {};
  const argumentsText = `${typeof text === 'string' ? text : ''}${typeof more === 'string' ? more : ''}`;
  const fn = { ...known, ...named, arguments: argumentsText };
  return { ...calls, [key]: { ...before, ...given, function: fn } };
}

function finished({ calls = {}, ...message }: Message): JsonObject {
  const inOrder = Object.keys(calls).toSorted((one, other) => Number(one) - Number(other));
  const toolCalls = inOrder.map((index) => ({ type: 'function', ...calls[index] }));
  return { ...message, ...(toolCalls.length > 0 && { tool_calls: toolCalls }) };
}
