import { isJsonObject, type Json } from '#lib/kernel';
import { findSecrets, type Needles, needlesOf } from './find-secrets.js';
import type { Range } from './readings.js';

/** The replacement of a secret. */
export const REDACTED = '[REDACTED]';

const SHORTEST = 8;

/**
 * Takes the secrets that a process is configured with out of every text that came from outside: before it is recorded, shown, logged or
 * answered. A process has one. A secret is also found when an upstream has re-encoded it: escaped
 * as in JSON, URLs or HTML, also in parts or twice; in UTF-16; in hex; in base64 or base64url at any alignment. Time is linear in the text.
 *
 * A secret shorter than 8 characters is left alone: such values (`none`, `ollama`) are placeholders for servers that
 * want no key, and replacing them everywhere would destroy what models said. Credentials in headers do not depend on this: the headers
 * that carry them are never recorded as they are.
 */
export class Redactor {
  readonly #secrets = new Set<string>();
  #needles: Needles = needlesOf([]);

  constructor(secrets: Iterable<string>) {
    this.learn(secrets);
  }

  /** From now on these are taken out, too. */
  learn(secrets: Iterable<string>): void {
    const known = this.#secrets.size;
    for (const secret of secrets) if (secret.length >= SHORTEST) this.#secrets.add(secret);
    if (this.#secrets.size > known) this.#needles = needlesOf([...this.#secrets]);
  }

  /** One that takes out these as well, for one call. */
  with(secrets: Iterable<string>): Redactor {
    return new Redactor([...this.#secrets, ...secrets]);
  }

  /** Characters at the end of a text that may begin a secret: the next part of the text tells. */
  openEnd(text: string): number {
    return Math.max(0, ...[...this.#secrets].map((secret) => beginningAtEnd(text, secret)));
  }

  /** The text with `[REDACTED]` in the place of each secret. */
  text(text: string): string {
    const bytes = Buffer.from(text);
    const redacted = this.bytes(bytes);
    return redacted === bytes ? text : redacted.toString();
  }

  /**
   * The same on bytes that may not be text.
   * @param isCut more bytes followed, so the last ones may be the beginning of a secret
   */
  bytes(bytes: Buffer, { isCut = false } = {}): Buffer {
    if (this.#secrets.size === 0) return bytes;
    const text = bytes.toString('latin1');
    const found = findSecrets(text, this.#needles, isCut);
    return found.length === 0 ? bytes : Buffer.from(withoutRanges(text, found), 'latin1');
  }

  /** The same on every string within, names of members included. */
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

/** Characters at the end of the text that are a beginning of the secret, but not all of it. */
function beginningAtEnd(text: string, secret: string): number {
  const longest = Math.min(secret.length - 1, text.length);
  for (let length = longest; length > 0; length--) if (text.endsWith(secret.slice(0, length))) return length;
  return 0;
}

/** Ranges that overlap are one secret in the record. */
function withoutRanges(text: string, ranges: readonly Range[]): string {
  const kept: string[] = [];
  let at = 0;
  for (const { start, end } of ranges.toSorted((a, b) => a.start - b.start)) {
    if (start >= at) kept.push(text.slice(at, start), REDACTED);
    at = Math.max(at, end);
  }
  return [...kept, text.slice(at)].join('');
}
