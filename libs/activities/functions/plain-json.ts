import { replyAllowance, TOO_MANY_MEMBERS } from '#lib/call-rules';
import {
  Allowance,
  AllowanceExceeded,
  escapePointerToken,
  type Json,
  jsonText,
  MOST_ANSWER_LEVELS,
} from '#lib/kernel';
import { MAX_REPLY_BYTES } from '../http/reply-limits.js';

/** A value that JSON text would change, or that is too large. The message says which part, or which limit. */
class NotJson extends Error {
  override readonly name = 'NotJson';
}

/**
 * The answer of a function or a tool, as it is recorded: `undefined` becomes `null` alone and in a list, and is left out of
 * an object. An object with a `toJSON`, such as a date, becomes its result. The engine reads the answers of all functions and tools with it.
 * @throws NotJson for a value that JSON would silently change: a function, a map, NaN, an object that holds itself; for more than
 *   `MOST_ANSWER_LEVELS`, more members than a reply may have, or more than `MAX_REPLY_BYTES`
 */
export function plainJson(value: unknown): Json {
  const json = bounded((left) => copied(value, '', [], left));
  if (Buffer.byteLength(jsonText(json)) > MAX_REPLY_BYTES) throw new NotJson(TOO_LARGE);
  return json;
}

const TOO_LARGE = `It returned more than ${MAX_REPLY_BYTES} bytes of JSON.`;

/** Characters are counted while the copy is made: a list may name one long text many times. */
function bounded(copy: (left: Allowance) => Json): Json {
  try {
    return copy(new Allowance({ ...replyAllowance().left, bytes: MAX_REPLY_BYTES }));
  } catch (error) {
    if (!(error instanceof AllowanceExceeded)) throw error;
    throw new NotJson(error.measure === 'bytes' ? TOO_LARGE : TOO_MANY_MEMBERS);
  }
}

function copied(value: unknown, path: string, holders: readonly unknown[], left: Allowance): Json {
  if (value === undefined || value === null) return null;
  if (typeof value === 'boolean') return value;
  if (typeof value === 'string') return kept(value, left);
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  if (typeof value !== 'object')
    throw notJson(path, typeof value === 'number' ? String(value) : typeof value);
  if (holders.includes(value)) throw notJson(path, 'an object that holds itself');
  if (holders.length === MOST_ANSWER_LEVELS)
    throw new NotJson(`It returned a value nested more than ${MOST_ANSWER_LEVELS} levels deep.`);
  const within = [...holders, value];
  if ('toJSON' in value && typeof value.toJSON === 'function')
    return copied((value as { toJSON(): unknown }).toJSON(), path, within, left);
  if (Array.isArray(value)) {
    left.take(Math.max(1, value.length));
    return value.map((item, index) => copied(item, `${path}/${index}`, within, left));
  }
  if (!isPlainObject(value)) throw notJson(path, `an instance of ${value.constructor.name}`);
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  left.take(Math.max(1, members.length));
  return Object.fromEntries(
    members.map(([name, member]) => [
      kept(name, left),
      copied(member, `${path}/${escapePointerToken(name)}`, within, left),
    ]),
  );
}

function kept(text: string, left: Allowance): string {
  left.keep(text.length);
  return text;
}

/** Whether a value is an object of no class, also one of another realm. */
export function isPlainObject(value: unknown): value is { readonly [name: string]: unknown } {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

function notJson(path: string, what: string): NotJson {
  return new NotJson(
    `It returned a value that is not JSON: ${path === '' ? 'the result' : path} is ${what}.`,
  );
}
