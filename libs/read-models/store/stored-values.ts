import { jsonText, RedialError } from '#lib/kernel';

const MARK = 'json:';
/** SQLite would replace surrogates, and PostgreSQL refuses NUL. */
const UNSTORABLE = /\p{Surrogate}|\0/u;

/**
 * Text from outside as a column stores it: unchanged, unless it has an unpaired surrogate or a NUL, or looks like the replacement
 * of such a text. Equal texts are stored alike, so a filter compares stored forms.
 */
export function storedText(text: string): string {
  return UNSTORABLE.test(text) || text.startsWith(MARK) ? `${MARK}${jsonText(text)}` : text;
}

export function textFromStored(stored: string): string {
  return stored.startsWith(MARK) ? (JSON.parse(stored.slice(MARK.length)) as string) : stored;
}

/** The indexes of the bytes' first digits in the text of a UUID. */
const BYTES_AT = [0, 2, 4, 6, 9, 11, 14, 16, 19, 21, 24, 26, 28, 30, 32, 34];
const HYPHENS_AT = [8, 13, 18, 23];
const UUID_LENGTH = 36;
/** The prefix of a text that is not a UUID: with it, the bytes are more than those of a UUID. */
const NO_UUID = Buffer.alloc(BYTES_AT.length + 1);

/** A UUID in lower case as its bytes, any other text as its own bytes after 17 zeros. */
export function storedUuid(text: string): Buffer {
  return bytesOfUuid(text) ?? Buffer.concat([NO_UUID, Buffer.from(storedText(text))]);
}

/** Runs for every id of every change: it makes no text, and looks at each character once. */
function bytesOfUuid(text: string): Buffer | undefined {
  if (text.length !== UUID_LENGTH || HYPHENS_AT.some((at) => text[at] !== '-')) return undefined;
  const bytes = Buffer.allocUnsafe(BYTES_AT.length);
  for (let n = 0; n < bytes.length; n++) {
    const at = BYTES_AT[n] as number;
    const byte = (digitOf(text.charCodeAt(at)) << 4) | digitOf(text.charCodeAt(at + 1));
    if (byte < 0) return undefined;
    bytes[n] = byte;
  }
  return bytes;
}

/** The value of a lower-case hexadecimal digit by its code; -1 for another character. */
function digitOf(code: number): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  return code >= 0x61 && code <= 0x66 ? code - 0x57 : -1;
}

export function uuidFromStored(stored: Buffer): string {
  if (stored.length !== BYTES_AT.length) return textFromStored(stored.toString('utf8', NO_UUID.length));
  const hex = stored.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/** A time that cannot be parsed. */
class InvalidTime extends RedialError {}

/** Epoch milliseconds of an ISO 8601 time. @throws InvalidTime */
export function storedTime(iso: string): number {
  const time = Date.parse(iso);
  if (!Number.isNaN(time)) return time;
  throw new InvalidTime(
    `time ${JSON.stringify(iso)}`,
    'it is not ISO 8601',
    'Look for damage with `redial replay`',
  );
}

/** ISO 8601, UTC. */
export function timeFromStored(time: number): string {
  return new Date(time).toISOString();
}

const DAY_MS = 86_400_000;

/** The start of the UTC day of a stored time. */
export function dayOf(time: number): number {
  return Math.floor(time / DAY_MS) * DAY_MS;
}

/**
 * The number in a position. All rows of a store are of one log, so the log's name, most of a position's text, is not stored with
 * them. The numbers of every event store are below 2^53.
 */
export function storedPosition(position: string): number {
  return Number(position.slice(position.lastIndexOf('.') + 1));
}

const DIGITS = 1e9;

/** To nine digits after the point: databases add numbers up in different orders, so the last digits differ. */
export function rounded(value: number): number {
  return Math.round(value * DIGITS) / DIGITS;
}
