import { type JsonDifference, sha256 } from '#lib/kernel';
import type { ReceivedReply, RecordedReply } from './recorded-reply.js';

type Outcome = Partial<Pick<RecordedReply, 'body'>> & { readonly received?: ReceivedReply };

/** A body in an outcome that does not match its checksum; for `Workflow.damage`. */
export function damagedBody({ body, received }: Outcome): JsonDifference | undefined {
  if (received) return difference('/received/body/sha256', received.body);
  return body && difference('/body/sha256', body);
}

function difference(
  pointer: string,
  { content, sha256: recorded }: RecordedReply['body'],
): JsonDifference | undefined {
  const replayed = sha256(content);
  return recorded === replayed ? undefined : { pointer, recorded, replayed };
}
