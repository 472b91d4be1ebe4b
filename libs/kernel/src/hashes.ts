import { createHash } from 'node:crypto';

/** SHA-256 of a text's UTF-8 bytes, or of bytes, as 64 lower-case hexadecimal digits. */
export function sha256(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}

/**
 * An id that anybody who knows where it comes from computes alike: UUIDv5 of `name` in the namespace of another id.
 * So a command that is repeated, here or in another process, creates the same session, proposal or solicitation.
 * @throws TypeError when the namespace is no UUID
 */
export function derivedId(namespace: string, name: string): string {
  const digest = createHash('sha1').update(bytesOf(namespace)).update(name).digest();
  digest[6] = (digest.readUInt8(6) & 0x0f) | 0x50;
  digest[8] = (digest.readUInt8(8) & 0x3f) | 0x80;
  const digits = digest.toString('hex');
  return [
    [0, 8],
    [8, 12],
    [12, 16],
    [16, 20],
    [20, 32],
  ]
    .map(([from, to]) => digits.slice(from, to))
    .join('-');
}

function bytesOf(id: string): Buffer {
  if (!/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id)) throw new TypeError(`${id} is no UUID.`);
  return Buffer.from(id.replaceAll('-', ''), 'hex');
}
