import { parseReplyObject } from '#lib/call-rules';

const OPENING = /^(?:```(?:json)?\s*)?\{/;
/** Matches a prefix of an opening fence. */
const MAY_OPEN = /^(?:`{0,2}|```(?:j|js|jso|json)?\s*)$/;
const MOST_BEFORE = 4_096;

/**
 * The text of `message` in a reply that arrives in parts: its results joined are the message. A reply that is not JSON is the
 * message itself, without outer spaces. Each character is read once.
 */
export class MessageText {
  #unread = '';
  #at: 'start' | 'members' | 'message' | 'text' | 'over' = 'start';
  readonly #members = new Members();

  /** The part of the message in these characters. */
  add(part: string): string {
    const isText = this.#at === 'text';
    this.#unread += this.#at === 'start' && this.#unread === '' ? part.trimStart() : part;
    if (this.#at === 'start') this.#begin();
    if (this.#at === 'members') this.#pass();
    if (this.#at === 'message') return this.#decoded();
    if (this.#at === 'text') return this.#plain(isText && part.trim() === '');
    if (this.#at === 'over') this.#unread = '';
    return '';
  }

  #begin(): void {
    const begin = this.#unread.slice(0, MOST_BEFORE);
    const opening = OPENING.exec(begin);
    if (opening) {
      this.#take(opening[0].length);
      this.#at = 'members';
    } else if (!MAY_OPEN.test(begin)) this.#at = 'text';
    else if (this.#unread.length > MOST_BEFORE) this.#at = 'over';
  }

  /** Skips to the text of `message`. */
  #pass(): void {
    const passed = this.#members.pass(this.#unread);
    this.#take(passed ?? this.#unread.length);
    if (passed !== undefined) this.#at = 'message';
  }

  #decoded(): string {
    const whole = this.#take(wholeLength(this.#unread));
    if (this.#unread.startsWith('"')) this.#at = 'over';
    const decoded = parseReplyObject(`{"text":"${whole}"}`)?.['text'];
    return typeof decoded === 'string' ? decoded : '';
  }

  /** The text without trailing spaces, since more may arrive. */
  #plain(isSpace: boolean): string {
    return isSpace ? '' : this.#take(this.#unread.trimEnd().length);
  }

  #take(length: number): string {
    const taken = this.#unread.slice(0, length);
    this.#unread = this.#unread.slice(length);
    return taken;
  }
}

/** The members of a JSON object that arrives in parts, after its brace. */
class Members {
  #depth = 1;
  #key = '';
  #string: 'none' | 'open' | 'escape' = 'none';

  /** The number of characters before the text of `message`; `undefined` if it does not begin in this part. */
  pass(part: string): number | undefined {
    for (let at = 0; at < part.length; at += 1) {
      const character = part[at] ?? '';
      if (this.#string !== 'none') this.#inString(character);
      else if (character === '"') {
        if (this.#depth === 1 && this.#key === 'message:') return at + 1;
        this.#string = 'open';
        this.#key = '';
      } else this.#between(character);
    }
    return undefined;
  }

  #inString(character: string): void {
    if (this.#string === 'escape') this.#string = 'open';
    else if (character === '\\') this.#string = 'escape';
    else if (character === '"') this.#string = 'none';
    else if (this.#key.length < 'message:'.length) this.#key += character;
  }

  #between(character: string): void {
    if ('{['.includes(character)) this.#depth += 1;
    else if (']}'.includes(character)) this.#depth -= 1;
    if (character.trim() !== '') this.#key = character === ':' ? `${this.#key}:` : '';
  }
}

/** The length up to the end of a JSON string, or to an incomplete escape. */
function wholeLength(text: string): number {
  let at = 0;
  while (at < text.length && text[at] !== '"') {
    const length = text[at] !== '\\' ? 1 : text[at + 1] === 'u' ? 6 : 2;
    if (at + length > text.length) break;
    at += length;
  }
  return at;
}
