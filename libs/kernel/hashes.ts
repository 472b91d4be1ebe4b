import { hash } from 'node:crypto';

/** SHA-256 of a text's UTF-8 bytes, or of bytes, as 64 lower-case hexadecimal digits. */
export function sha256(content: string | Uint8Array): string {
  return hash('sha256', content);
}

/** Whether a value from outside has the form of a `sha256` result. */
export function isSha256(value: unknown): value is string {
  return typeof value === 'string' && /^[0-9a-f]{64}$/.test(value);
}

/** The digits of the variant of RFC 9562, by the lower bits that they leave of a digit. */
const VARIANTS = '89ab';

/**
 * A deterministic id: UUIDv5 of `name` in the namespace of another id. With it, a command that is repeated, here or in another process, creates the
 * same session, proposal or solicitation.
 * @throws TypeError if the namespace is not a UUID
 */
export function derivedId(namespace: string, name: string): string {
  const digits = hash('sha1', bytesOf(namespace, name));
  const variant = VARIANTS[parseInt(digits.charAt(16), 16) & 0b11];
  const time = `${digits.slice(0, 8)}-${digits.slice(8, 12)}-5${digits.slice(13, 16)}`;
  return `${time}-${variant}${digits.slice(17, 20)}-${digits.slice(20, 32)}`;
}

const BYTES_OF_ID = 16;
const MOST_BYTES_OF_UNIT = 3;

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The bytes of an id, then those of a text. */
function bytesOf(id: string, name: string): Buffer {
  if (!isUuid(id)) throw new TypeError(`${id} is not a UUID.`);
  const bytes = Buffer.allocUnsafe(BYTES_OF_ID + MOST_BYTES_OF_UNIT * name.length);
  bytes.write(id.replaceAll('-', ''), 'hex');
  return bytes.subarray(0, BYTES_OF_ID + bytes.write(name, BYTES_OF_ID));
}

/** Whether ids can be derived from this one. */
export function isUuid(id: string): boolean {
  return UUID.test(id);
}
