import { type JsonDifference, sha256 } from '#lib/kernel';
import type { RecordedReply } from './recorded-reply.js';

/** Where a recorded reply is not what its checksum is of; for `Workflow.damage`. */
export function damagedBody({ body }: Pick<RecordedReply, 'body'>): JsonDifference | undefined {
  const { content, sha256: recorded } = body;
  const replayed = sha256(content);
  return recorded === replayed ? undefined : { pointer: '/body/sha256', recorded, replayed };
}
