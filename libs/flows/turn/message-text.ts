import { parseReplyObject } from '#lib/call-rules';

const OPENING = /^(?:```(?:json)?\s*)?\{/;
/** Matches text that an opening may begin with. */
const MAY_OPEN = /^(?:`{0,2}|```(?:j|js|jso|json)?\s*)$/;
const MOST_BEFORE = 4_096;

/**
 * The text of the member `message` of a reply that comes in parts: joined, what it gives is the message. A reply that is not JSON is
 * the message itself, without the spaces around it. Each character is read once.
 */
export class MessageText {
  #unread = '';
  #at: 'start' | 'members' | 'message' | 'text' | 'over' = 'start';
  readonly #members = new Members();

  /** The text that these characters add. */
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

  /** Up to the text of `message`. */
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

  /** Without the spaces at its end, of which more may come. */
  #plain(isSpace: boolean): string {
    return isSpace ? '' : this.#take(this.#unread.trimEnd().length);
  }

  #take(length: number): string {
    const taken = this.#unread.slice(0, length);
    this.#unread = this.#unread.slice(length);
    return taken;
  }
}

/** The members of a JSON object that come in parts, after its brace. */
class Members {
  #depth = 1;
  #key = '';
  #string: 'none' | 'open' | 'escape' = 'none';

  /** The number of characters up to the text of the member `message`; `undefined` if it does not begin in these. */
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

/** Up to the end of a JSON string, or to an escape that is not whole yet. */
function wholeLength(text: string): number {
  let at = 0;
  while (at < text.length && text[at] !== '"') {
    const length = text[at] !== '\\' ? 1 : text[at + 1] === 'u' ? 6 : 2;
    if (at + length > text.length) break;
    at += length;
  }
  return at;
}
