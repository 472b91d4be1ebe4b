import { sha256 } from '#lib/kernel';
import type { RecordedBody } from '#lib/calls';
import type { Redactor } from '../redactor.js';

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Bytes that came, as they are stored: secrets out first, then the hash. */
export function recordedBody(bytes: Buffer, redactor: Redactor): RecordedBody {
  const redacted = redactor.bytes(bytes);
  const text = utf8Text(redacted);
  const encoding = text === undefined ? 'base64' : 'utf8';
  const content = text ?? redacted.toString('base64');
  return { encoding, content, sha256: sha256(content) };
}

function utf8Text(bytes: Buffer): string | undefined {
  try {
    return utf8.decode(bytes);
  } catch {
    return undefined;
  }
}
