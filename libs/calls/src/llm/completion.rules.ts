import { isJsonObject, type Json, type JsonObject } from '#lib/kernel';
import { parseReplyObject, withoutByteOrderMark } from '../parse-reply-json.js';
import type { RecordedBody } from '../recorded-reply.js';
import { isNothing, StreamedMessage } from './streamed-message.rules.js';

/** The end of a line of server-sent events. */
export const LINE_END = /\r\n|\r|\n/;

/** Marks a completion whose stream did not end: it had neither `[DONE]` nor a `finish_reason`. */
export const UNFINISHED = 'redial:unfinished';

/** Only the newest completion is kept: the rules of a run read a reply several times in a row, and it may be large. */
let newest: { readonly body: RecordedBody; readonly completion: JsonObject | undefined } | undefined;

/** The completion in a body: its JSON object, or the one that its server-sent events make up. */
export function completionIn(body: RecordedBody): JsonObject | undefined {
  if (newest?.body !== body) newest = { body, completion: readBody(body) };
  return newest.completion;
}

function readBody({ encoding, content }: RecordedBody): JsonObject | undefined {
  if (encoding !== 'utf8') return undefined;
  return isEventStream(content) ? assembled(content) : parseReplyObject(content);
}

/** The text that a chunk adds, for display. */
export function deltaText(chunk: JsonObject): string {
  const { content } = deltaIn(chunk);
  return typeof content === 'string' ? content : '';
}

/** Whether a chunk holds a part of the message: text, reasoning, a refusal or a part of a call. */
export function bringsToken(chunk: JsonObject): boolean {
  return Object.entries(deltaIn(chunk)).some(([name, value]) => name !== 'role' && !isNothing(value));
}

/** The chunks of whole lines of server-sent events, `[DONE]` left out. */
export function* chunksIn(lines: readonly string[]): Generator<JsonObject> {
  for (const line of lines) {
    const data = dataOf(line);
    const chunk = data === undefined ? undefined : parseReplyObject(data);
    if (chunk) yield chunk;
  }
}

/** JSON begins with none of these. */
function isEventStream(content: string): boolean {
  return /^\s*(?:data|event|id|retry)?:/.test(withoutByteOrderMark(content).slice(0, 1_000));
}

function assembled(content: string): JsonObject {
  const message = new StreamedMessage();
  let head: JsonObject | undefined;
  let finishReason: Json = null;
  let usage: Json = null;
  const lines = content.split(LINE_END);
  for (const chunk of chunksIn(lines)) {
    if (isJsonObject(chunk['error'])) return chunk;
    head ??= chunk;
    message.add(deltaIn(chunk));
    finishReason = choiceIn(chunk)['finish_reason'] ?? finishReason;
    usage = chunk['usage'] ?? usage;
  }
  const isWhole = finishReason !== null || lines.some((line) => dataOf(line) === '[DONE]');
  return {
    ...head,
    choices: [{ index: 0, message: message.json, finish_reason: finishReason }],
    usage,
    ...(!isWhole && { [UNFINISHED]: true }),
  };
}

function dataOf(line: string): string | undefined {
  return line.startsWith('data:') ? line.slice('data:'.length).trim() : undefined;
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
