import { Allowance, isDeeperThan, isJsonObject, type JsonObject } from '#lib/kernel';

/** The deepest nesting that is accepted from a model: writing a deeper value into an event could overflow the stack. */
const MOST_LEVELS = 100;
/** The most objects, lists and members in one reply, in all of its texts. */
const MOST_MEMBERS = 500_000;
/** A shorter text is parsed in no time, however deep it is. */
const SHORT = 16_384;

/** A chunk of a stream repeats these members for each token. They do not belong to the reply. */
const MEMBERS_OF_A_CHUNK = 200;

/** The allowance of one reply of a model. @param chunks of a streamed reply */
export function replyAllowance(chunks = 0): Allowance {
  return new Allowance({ members: MOST_MEMBERS + chunks * MEMBERS_OF_A_CHUNK });
}

/** The members of a chunk above the usual number for a chunk. */
export function membersBeyondUsual(chunk: string): number {
  return Math.max(0, shapeOf(chunk, Infinity).members - MEMBERS_OF_A_CHUNK);
}

/**
 * Parses a model's text as JSON, without a byte order mark before it; `undefined` for text that is not JSON (JSON itself has no such value), or is
 * nested too deep.
 * @param unit the allowance of the reply that the text is in
 * @throws AllowanceExceeded before it parses, if the text has more members than the reply has left
 */
export function parseReplyJson(text: string, unit?: Allowance): unknown {
  // An empty text beside a tool call. Making an error would take longer than reading the rest of the reply.
  if (text === '') return undefined;
  if (!isTaken(text, unit)) return undefined;
  try {
    const value: unknown = JSON.parse(withoutByteOrderMark(text));
    return isDeeperThan(value, MOST_LEVELS) ? undefined : value;
  } catch {
    return undefined;
  }
}

/** Whether a text may be parsed. Spends its members from the allowance, without making a value. @throws AllowanceExceeded */
export function isTaken(text: string, unit?: Allowance): boolean {
  if (!unit && text.length <= SHORT) return true;
  const { members, levels } = shapeOf(text);
  if (levels > MOST_LEVELS) return false;
  unit?.take(members);
  return true;
}

/** The message of a reply for which `holdsTooManyMembers` is true. */
export const TOO_MANY_MEMBERS = `The reply has more than ${MOST_MEMBERS} objects, lists and members.`;

/** Whether a text that looks like JSON has more objects, lists and members than one reply may have: some MB of them fill the memory. */
export function holdsTooManyMembers(text: string): boolean {
  const isShort = text.length <= MOST_MEMBERS;
  if (isShort || !/^\s*[[{]/.test(withoutByteOrderMark(text))) return false;
  return shapeOf(text, Infinity).members > MOST_MEMBERS;
}

/** The objects, lists and members of a JSON text, and its levels, counted up to one above the limit. For other text, arbitrary numbers. */
function shapeOf(text: string, most = MOST_LEVELS): { readonly members: number; readonly levels: number } {
  let [members, open, levels] = [0, 0, 0];
  for (let at = 0; at < text.length && levels <= most; at++) {
    switch (text[at]) {
      case '"':
        at = endOfString(text, at);
        break;
      case '[':
      case '{':
        members++;
        open++;
        levels = Math.max(levels, open);
        break;
      case ']':
      case '}':
        open--;
        break;
      case ',':
        members++;
        break;
      default:
    }
  }
  return { members, levels };
}

/** The index of the quotation mark that ends a string. */
function endOfString(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at !== -1; at = text.indexOf('"', at + 1)) {
    let slashes = 0;
    while (text[at - 1 - slashes] === '\\') slashes++;
    if (slashes % 2 === 0) return at;
  }
  return text.length;
}

/** `parseReplyJson` for a text that must be an object. */
export function parseReplyObject(text: string, unit?: Allowance): JsonObject | undefined {
  const value = parseReplyJson(text, unit);
  return isJsonObject(value) ? value : undefined;
}

/** The text without its byte order mark. */
export function withoutByteOrderMark(text: string): string {
  return text.startsWith('\u{FEFF}') ? text.slice(1) : text;
}
