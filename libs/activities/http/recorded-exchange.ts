import type { IncomingHttpHeaders } from 'node:http';
import type { ReceivedReply, RecordedBody } from '#lib/call-rules';
import { sha256 } from '#lib/kernel';
import { compressionOf, decompressedPart } from '../redaction/decompressed-part.js';
import { REDACTED, type Redactor } from '../redaction/redactor.js';
import { encodingOf } from './decode-content.js';
import { MAX_RECEIVED_BYTES } from './reply-limits.js';
import { IncompleteReply } from './http-exchange.js';

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** A complete decoded body in its stored form: redacted first, then hashed. */
export async function recordedBody(bytes: Buffer, redactor: Redactor): Promise<RecordedBody> {
  return recordedBytes(await redactedBody(bytes, redactor), true);
}

/** The recorded part of a body whose reply is not used: its beginning. */
export function beginningOf({ content }: RecordedBody): RecordedBody {
  return recordedBytes(Buffer.from(content.slice(0, MAX_RECEIVED_BYTES / 4)), true);
}

/** Stores bytes without secrets. `mayBeText`: as text, if they are UTF-8. */
function recordedBytes(bytes: Buffer, mayBeText: boolean): RecordedBody {
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
 * A body without secrets. Compressed bytes that hold a secret are replaced by their decompressed and redacted form. If they decompress to more than
 * 10 MiB, the rest is dropped without a search.
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

type Headers = Readonly<Record<string, string>>;

/** The only headers of a request that are recorded. `Authorization` is recorded without its value. */
const REQUEST_HEADERS = ['Accept', 'Authorization', 'Content-Type', 'User-Agent'] as const;

/** The only headers of a reply that are recorded, besides those that begin with `x-ratelimit-`. */
const REPLY_HEADERS = new Set([
  'apim-request-id',
  'cf-ray',
  'content-type',
  'date',
  'openai-processing-ms',
  'openai-version',
  'request-id',
  'retry-after',
  'retry-after-ms',
  'x-request-id',
]);

/** The recorded headers, with names as HTTP writes them, in a fixed order. */
export function recordedRequestHeaders(sent: Headers, redactor: Redactor): Headers {
  return Object.fromEntries(
    REQUEST_HEADERS.flatMap((name) => {
      const value = sent[name.toLowerCase()];
      if (value === undefined) return [];
      return [[name, name === 'Authorization' ? REDACTED : redactor.text(value)]];
    }),
  );
}

/** The recorded headers, with names in lower case, in the order they came. */
export function recordedReplyHeaders(received: IncomingHttpHeaders, redactor: Redactor): Headers {
  return Object.fromEntries(
    Object.entries(received).flatMap(([name, value]) => {
      const chosen = REPLY_HEADERS.has(name) || name.startsWith('x-ratelimit-');
      return chosen && value !== undefined ? [[name, redactor.text([value].flat().join(', '))]] : [];
    }),
  );
}

/** The member `received` of a failed outcome: the part of a reply that came before the exchange failed with this error. */
export async function receivedReply(
  error: unknown,
  redactor: Redactor,
): Promise<{ readonly received?: ReceivedReply }> {
  if (!(error instanceof IncompleteReply)) return {};
  const { status, headers, body } = error.received;
  const encoding = encodingOf(headers);
  const isPlain = encoding === 'identity';
  // A secret may cross the limit, so plain bytes are cut after the redaction.
  const bytes = isPlain
    ? await redactedBody(body, redactor, { isCut: true })
    : await redactedBody(body.subarray(0, MAX_RECEIVED_BYTES), redactor, { encoding, isCut: true });
  const received = {
    status,
    responseHeaders: recordedReplyHeaders(headers, redactor),
    body: recordedBytes(bytes.subarray(0, MAX_RECEIVED_BYTES), isPlain),
  };
  return { received };
}
