import { compressionOf, decompressedPart } from './decompressed-part.js';
import type { Redactor } from './redactor.js';

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
