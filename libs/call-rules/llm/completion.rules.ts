import { type Allowance, AllowanceExceeded, isJsonObject, type Json, type JsonObject } from '#lib/kernel';
import {
  isTaken,
  membersBeyondUsual,
  parseReplyObject,
  replyAllowance,
  withoutByteOrderMark,
} from '../parse-reply-json.js';
import type { RecordedBody } from '../recorded-reply.js';
import { isNothing, StreamedMessage } from './streamed-message.rules.js';

/** The end of a line of server-sent events. */
export const LINE_END = /\r\n|\r|\n/;

/** Marks a completion whose stream did not end: it has neither `[DONE]` nor a `finish_reason`. */
export const UNFINISHED = 'redial:unfinished';

/** Only the newest completion is kept: the rules of a run read a reply several times in a row, and it may be large. */
let newest: (Read & { readonly body: RecordedBody }) | undefined;

interface Read {
  readonly completion: JsonObject | undefined;
  /** The body has more members than one reply may have, and is not read. */
  readonly isOverAllowance: boolean;
}

/** The completion in a body: its JSON object, or the one that its server-sent events form. */
export function completionIn(body: RecordedBody): JsonObject | undefined {
  return read(body).completion;
}

/** Whether a body has more members than one reply may have. It has no completion then. */
export function isOverAllowance(body: RecordedBody): boolean {
  return read(body).isOverAllowance;
}

/**
 * Whether a body, together with the JSON in its texts, has more members than one reply may have. It is asked when a reply arrives, because rules
 * parse these texts whenever they need them.
 */
export function holdsTooMuch(body: RecordedBody): boolean {
  if (chunksHoldTooMuch(body.content)) return true;
  const unit = allowanceOf(body);
  if (!unit || isOverAllowance(body)) return isOverAllowance(body);
  const { choices } = completionIn(body) ?? {};
  return isRefused(() => {
    if (!isEventStream(body.content)) isTaken(body.content, unit);
    for (const text of textsIn(choices ?? null)) if (/^\s*(?:```\w*\s*)?[[{]/.test(text)) isTaken(text, unit);
  });
}

/** Whether the long chunks of a stream have too many members together. They may not use the rest of a short chunk's allowance. */
function chunksHoldTooMuch(content: string): boolean {
  const { members: most } = replyAllowance().left;
  if (content.length <= most || !isEventStream(content)) return false;
  let members = 0;
  for (const line of content.split(LINE_END)) members += membersBeyondUsual(dataOf(line) ?? '');
  return members > most;
}

function textsIn(value: Json): readonly string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap((member: Json | undefined) => textsIn(member ?? null));
}

function read(body: RecordedBody): Read {
  if (newest?.body !== body) newest = { body, ...readBody(body) };
  return newest;
}

function readBody(body: RecordedBody): Read {
  let completion: JsonObject | undefined;
  const isOver = isRefused(() => void (completion = parsed(body, allowanceOf(body))));
  return { completion, isOverAllowance: isOver };
}

function parsed({ encoding, content }: RecordedBody, unit: Allowance | undefined): JsonObject | undefined {
  if (encoding !== 'utf8') return undefined;
  return isEventStream(content) ? assembled(content, unit) : parseReplyObject(content, unit);
}

/** The allowance of a body; `undefined` for one that is too short to exceed it: a member has at least two characters. */
function allowanceOf({ content }: RecordedBody): Allowance | undefined {
  const unit = replyAllowance(isEventStream(content) ? content.split('\ndata:').length : 0);
  return content.length / 2 > unit.left.members ? unit : undefined;
}

function isRefused(work: () => void): boolean {
  try {
    work();
    return false;
  } catch (error) {
    if (error instanceof AllowanceExceeded) return true;
    throw error;
  }
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

/** The chunks in whole lines of server-sent events, without `[DONE]`. */
export function* chunksIn(lines: readonly string[], unit?: Allowance): Generator<JsonObject> {
  for (const line of lines) {
    const data = dataOf(line);
    const chunk = data === undefined ? undefined : parseReplyObject(data, unit);
    if (chunk) yield chunk;
  }
}

/** Whether a body is an event stream. JSON begins with none of these names. */
function isEventStream(content: string): boolean {
  return /^\s*(?:data|event|id|retry)?:/.test(withoutByteOrderMark(content).slice(0, 1_000));
}

function assembled(content: string, unit: Allowance | undefined): JsonObject {
  const message = new StreamedMessage();
  let head: JsonObject | undefined;
  let finishReason: Json = null;
  let usage: Json = null;
  const lines = content.split(LINE_END);
  for (const chunk of chunksIn(lines, unit)) {
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

/** The first choice. Others do not count, as in replies that are not streamed. */
function choiceIn({ choices }: JsonObject): JsonObject {
  const all = Array.isArray(choices) ? (choices as readonly Json[]) : [];
  const choice = all.find((one) => isJsonObject(one) && (one['index'] ?? 0) === 0);
  return isJsonObject(choice) ? choice : {};
}

function deltaIn(chunk: JsonObject): JsonObject {
  const { delta } = choiceIn(chunk);
  return isJsonObject(delta) ? delta : {};
}
