import { isJsonObject, type Json } from '#lib/kernel';

/** What stands where a secret was. */
export const REDACTED = '[REDACTED]';

const SHORTEST = 8;

/**
 * Takes known secrets out of what is recorded, by exact value, wherever it stands. Each secret is also known as it is spelled in JSON
 * strings (with and without `\/`) and in URLs.
 *
 * A secret shorter than 8 characters is left alone: such values (`none`, `ollama`) are placeholders for servers that
 * want no key, and replacing them everywhere would destroy what models said. Credentials in headers do not depend on this: the headers
 * that carry them are never recorded as they are.
 */
export class Redactor {
  private readonly spellings: readonly string[];

  constructor(secrets: Iterable<string>) {
    const spellings = [...secrets].filter(({ length }) => length >= SHORTEST).flatMap(spellingsOf);
    // A secret that holds another one must go first, or its rest would stay.
    this.spellings = [...new Set(spellings)].toSorted((a, b) => b.length - a.length);
  }

  /** The text with `[REDACTED]` in the place of each secret. */
  text(text: string): string {
    return this.spellings.reduce((rest, secret) => rest.replaceAll(secret, REDACTED), text);
  }

  /** The same on bytes that may be no text. */
  bytes(bytes: Buffer): Buffer {
    const text = bytes.toString('latin1');
    const redacted = this.spellings.reduce(
      (rest, secret) => rest.replaceAll(Buffer.from(secret).toString('latin1'), REDACTED),
      text,
    );
    return redacted === text ? bytes : Buffer.from(redacted, 'latin1');
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

function spellingsOf(secret: string): string[] {
  const inJson = JSON.stringify(secret).slice(1, -1);
  const inUrl = new URLSearchParams([['', secret]]).toString().slice(1);
  return [secret, inJson, inJson.replaceAll('/', String.raw`\/`), inUrl];
}
