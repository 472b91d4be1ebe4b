import { folded } from '#lib/engine/core';
import { refuseUnknownRoot, type RootInLog, runRequests } from '#lib/histories/core';
import { pastMoment, type PastMoment } from '#lib/operations/core';
import { sessionSeen } from '#lib/decisions/session';

/**
 * A session, run or conversation as it was.
 * @param at a revision, a time, or `position:<position>`
 * @throws RejectionError for a moment that is malformed, or not of it
 */
export function momentOf({ root: { id }, log, stream }: RootInLog, at: string): Promise<PastMoment> {
  const { category } = log.streams.parse(stream) ?? refuseUnknownRoot(id);
  const seen = { ...sessionSeen(id), category };
  return pastMoment({ log, models: folded, requests: runRequests }, seen, at);
}
