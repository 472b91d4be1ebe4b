import { isJsonObject, type Json } from '#lib/kernel';
import { findSecrets, type Needles, needlesOf } from './find-secrets.js';
import type { Range } from './readings.js';

/** The replacement of a secret. */
export const REDACTED = '[REDACTED]';

const SHORTEST = 8;

/**
 * Takes known secrets out of what is recorded, wherever they occur. A secret is also found when an upstream has re-encoded it: escaped
 * as in JSON, URLs or HTML, also in parts or twice; in UTF-16; in hex; in base64 or base64url at any alignment. Time is linear in the text.
 *
 * A secret shorter than 8 characters is left alone: such values (`none`, `ollama`) are placeholders for servers that
 * want no key, and replacing them everywhere would destroy what models said. Credentials in headers do not depend on this: the headers
 * that carry them are never recorded as they are.
 */
export class Redactor {
  private readonly needles: Needles;

  constructor(secrets: Iterable<string>) {
    this.needles = needlesOf([...new Set(secrets)].filter(({ length }) => length >= SHORTEST));
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
    if (this.needles.plain.length === 0) return bytes;
    const text = bytes.toString('latin1');
    const found = findSecrets(text, this.needles, isCut);
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
