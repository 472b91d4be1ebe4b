import type { DeclaredMembers } from '#lib/event-store';
import { type JsonDifference, sha256 } from '#lib/kernel';

/** A body as it came, with known secrets replaced. The body of a complete reply is stored after content decoding. */
export type RecordedBody = {
  /** `base64` if the bytes are not UTF-8, or are content-encoded. */
  readonly encoding: 'utf8' | 'base64';
  readonly content: string;
  /** SHA-256 of `content` as UTF-8. */
  readonly sha256: string;
};

/** An HTTP reply of any status, in the form of outcomes. */
export type RecordedReply = {
  readonly status: number;
  readonly requestHeaders: { readonly [name: string]: string };
  readonly responseHeaders: { readonly [name: string]: string };
  readonly body: RecordedBody;
  readonly durationMs: number;
};

/**
 * The received part of a reply that is incomplete or cannot be decoded, in the form of failed outcomes. `body` holds the bytes as received, before
 * content decoding, at most the first 1 MiB.
 */
export type ReceivedReply = Pick<RecordedReply, 'status' | 'responseHeaders' | 'body'>;

const body = { encoding: 'structure', content: 'content', sha256: 'derived' } as const;

export const receivedReplyMembers = {
  status: 'structure',
  responseHeaders: 'content',
  body,
} as const satisfies DeclaredMembers<ReceivedReply>;

export const recordedReplyMembers = {
  ...receivedReplyMembers,
  requestHeaders: 'content',
  durationMs: 'structure',
} as const satisfies DeclaredMembers<RecordedReply>;

/** The values that replace headers once the subject of a reply is erased. */
export const recordedReplyBlanks = { '/requestHeaders': {}, '/responseHeaders': {} };
export const receivedReplyBlanks = { '/received/responseHeaders': {} };

type Outcome = Partial<Pick<RecordedReply, 'body'>> & { readonly received?: ReceivedReply };

/** The difference if a body in an outcome does not match its checksum; for `checkIntegrity` of an activity. */
export function damagedBody({ body, received }: Outcome): JsonDifference | undefined {
  if (received) return difference('/received/body/sha256', received.body);
  return body && difference('/body/sha256', body);
}

/** `checkIntegrity` of an activity whose outcomes have a body. */
export function checkBody({ data }: { readonly data: Outcome }): JsonDifference | undefined {
  const damage = damagedBody(data);
  return damage && { ...damage, pointer: `/data${damage.pointer}` };
}

function difference(
  pointer: string,
  { content, sha256: recorded }: RecordedReply['body'],
): JsonDifference | undefined {
  const replayed = sha256(content);
  return recorded === replayed ? undefined : { pointer, recorded, replayed };
}
