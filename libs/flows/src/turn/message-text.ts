import { parseReplyObject } from '#lib/calls';

const START = /^\s*(?:```(?:json)?\s*)?\{\s*"message"\s*:\s*"/;
const MOST_BEFORE = 4_096;

/** Matches text that may still become the start of a JSON object. */
const MAY_START = /^\s*(?:$|`|\{)/;

/**
 * The text of the member `message` of a reply that comes in parts: joined, what it gives is the message. A reply that is no JSON is
 * the message itself; of an object whose first member is another one nothing is given.
 */
export class MessageText {
  #unread = '';
  #at: 'start' | 'message' | 'text' | 'over' = 'start';

  /** The text that these characters add. */
  add(part: string): string {
    this.#unread += part;
    if (this.#at === 'start') this.#begin();
    if (this.#at === 'text') return this.#take(this.#unread.length);
    return this.#at === 'message' ? this.#decoded() : '';
  }

  #begin(): void {
    const begin = this.#unread.slice(0, MOST_BEFORE);
    const start = START.exec(begin);
    if (start) {
      this.#take(start[0].length);
      this.#at = 'message';
    } else if (!MAY_START.test(begin)) this.#at = 'text';
    else if (this.#unread.length > MOST_BEFORE) this.#at = 'over';
  }

  #decoded(): string {
    const whole = this.#take(wholeLength(this.#unread));
    if (this.#unread.startsWith('"')) this.#at = 'over';
    const decoded = parseReplyObject(`{"text":"${whole}"}`)?.['text'];
    return typeof decoded === 'string' ? decoded : '';
  }

  #take(length: number): string {
    const taken = this.#unread.slice(0, length);
    this.#unread = this.#unread.slice(length);
    return taken;
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
