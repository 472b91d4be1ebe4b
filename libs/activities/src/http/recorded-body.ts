import type { RecordedBody } from '#lib/calls';
import { sha256 } from '#lib/kernel';
import { redactedBody } from '../redaction/redacted-body.js';
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
