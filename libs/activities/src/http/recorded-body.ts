import type { RecordedBody } from '#lib/calls';
import { sha256 } from '#lib/kernel';
import { compressionOf, decompressedPart } from '../redaction/decompressed-part.js';
import type { Redactor } from '../redaction/redactor.js';

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** A complete decoded body as stored: redacted first, then hashed. */
export async function recordedBody(bytes: Buffer, redactor: Redactor): Promise<RecordedBody> {
  return recordedBytes(await redactedBody(bytes, redactor), true);
}

/** Bytes without secrets. `mayBeText`: they are stored as text where they are UTF-8. */
export function recordedBytes(bytes: Buffer, mayBeText: boolean): RecordedBody {
  const text = mayBeText ? utf8Text(bytes) : undefined;
  const encoding = text === undefined ? 'base64' : 'utf8';
  const content = text ?? bytes.toString('base64');
  return { encoding, content, sha256: sha256(content) };
}

function utf8Text(bytes: Buffer): string | undefined {
  try {
    return utf8.decode(bytes);
  } catch {
    return undefined;
  }
}

interface BodyForm {
  /** The compression of the bytes. Default: detected from the first bytes. */
  readonly encoding?: string | undefined;
  /** More bytes followed. */
  readonly isCut?: boolean;
}

/**
 * A body without secrets. Compressed bytes that hold a secret are replaced by what they decompress to, redacted; of bytes that
 * decompress to more than 10 MiB, what lies beyond is dropped unseen.
 */
export async function redactedBody(
  bytes: Buffer,
  redactor: Redactor,
  { encoding = compressionOf(bytes), isCut = false }: BodyForm = {},
): Promise<Buffer> {
  const inside = encoding === undefined ? undefined : await decompressedPart(bytes, encoding);
  if (!inside) return redactor.bytes(bytes, { isCut });
  const redacted = redactor.bytes(inside.output, { isCut: true });
  if (redacted !== inside.output) return redacted;
  return redactor.bytes(bytes.subarray(0, inside.taken), { isCut: true });
}
