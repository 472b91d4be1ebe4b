import { isJsonObject, type Json } from '#lib/kernel';
import { findSecrets, type Needles, needlesOf } from './find-secrets.js';
import type { Range } from './readings.js';

/** The replacement of a secret. */
export const REDACTED = '[REDACTED]';

const SHORTEST = 8;

/**
 * Removes the configured secrets of a process from every text from outside, before it is recorded, shown, logged or answered. A process has one
 * redactor. A secret is also found if an upstream has re-encoded it: escaped as in JSON, URLs or HTML, also in parts or twice; in UTF-16; in hex; in
 * base64 or base64url at any alignment. Time is linear in the text.
 *
 * A secret shorter than 8 characters is not removed: such values (`none`, `ollama`) are placeholders for servers without keys, and replacing them
 * everywhere would destroy texts of models.
 *
 * Credentials in headers do not depend on this: the values of the headers that carry them are never recorded.
 */
export class Redactor {
  readonly #secrets = new Set<string>();
  #needles: Needles = needlesOf([]);

  constructor(secrets: Iterable<string>) {
    this.learn(secrets);
  }

  learn(secrets: Iterable<string>): void {
    const known = this.#secrets.size;
    for (const secret of secrets) if (secret.length >= SHORTEST) this.#secrets.add(secret);
    if (this.#secrets.size > known) this.#needles = needlesOf([...this.#secrets]);
  }

  /** A redactor that also removes these secrets, for one call. */
  with(secrets: Iterable<string>): Redactor {
    return new Redactor([...this.#secrets, ...secrets]);
  }

  /** The number of characters at the end of a text that may begin a secret. The next part of the text decides. */
  openEnd(text: string): number {
    return Math.max(0, ...[...this.#secrets].map((secret) => beginningAtEnd(text, secret)));
  }

  /** The text with `[REDACTED]` in the place of each secret. */
  text(text: string): string {
    const bytes = Buffer.from(text);
    const redacted = this.bytes(bytes);
    return redacted === bytes ? text : redacted.toString();
  }

  /** `text` for bytes that may not be text. @param isCut more bytes followed, so the last ones may be the beginning of a secret */
  bytes(bytes: Buffer, { isCut = false } = {}): Buffer {
    if (this.#secrets.size === 0) return bytes;
    const text = bytes.toString('latin1');
    const found = findSecrets(text, this.#needles, isCut);
    return found.length === 0 ? bytes : Buffer.from(withoutRanges(text, found), 'latin1');
  }

  /** `text` for every string in a value, with names of members. */
  json<T extends Json>(value: T): T {
    return this.redacted(value) as T;
  }

  private redacted(value: Json): Json {
    if (typeof value === 'string') return this.text(value);
    if (Array.isArray(value)) return value.map((item: Json) => this.redacted(item));
    if (!isJsonObject(value)) return value;
    const members = Object.entries(value).filter(
      (member): member is [string, Json] => member[1] !== undefined,
    );
    return Object.fromEntries(members.map(([name, member]) => [this.text(name), this.redacted(member)]));
  }
}

/** The number of characters at the end of the text that are a beginning of the secret, but not all of it. */
function beginningAtEnd(text: string, secret: string): number {
  const longest = Math.min(secret.length - 1, text.length);
  for (let length = longest; length > 0; length--) if (text.endsWith(secret.slice(0, length))) return length;
  return 0;
}

/** Overlapping ranges become one `[REDACTED]`. */
function withoutRanges(text: string, ranges: readonly Range[]): string {
  const kept: string[] = [];
  let at = 0;
  for (const { start, end } of ranges.toSorted((a, b) => a.start - b.start)) {
    if (start >= at) kept.push(text.slice(at, start), REDACTED);
    at = Math.max(at, end);
  }
  return [...kept, text.slice(at)].join('');
}
