import type { EventLog } from '#lib/event-store';
import { findRoot, refuseUnknownRoot, type RootInLog, runRequests } from '#lib/histories/core';
import type { WorkflowRegistry } from '#lib/workflow';
import { isHistoryFile } from '../input/history-file.js';
import { sessionIdOf } from '../input/named-id.js';
import { withHistory } from './with-history.js';
import { settingsFor, withLog } from './with-log.js';
import { folded } from '#lib/engine/core';

import { pastMoment, type PastMoment } from '#lib/operations/core';
import { sessionSeen } from '#lib/decisions/session';

/**
 * A session, run or conversation, of the log or of a history file.
 * @param named its id, or the file
 * @param at the moment; absent: now
 * @throws RejectionError if there is none, or not at this moment
 */
export async function withRoot<T>(
  named: string,
  { dataDir, at }: { readonly dataDir?: string | undefined; readonly at?: string | undefined },
  work: (root: RootInLog) => Promise<T>,
): Promise<T> {
  if (isHistoryFile(named))
    return withHistory(named, async ({ log, stream, head: { root } }) =>
      work(await rootAt({ root, log, stream }, at)),
    );
  const id = await sessionIdOf(named, { dataDir });
  const settings = settingsFor(dataDir);
  return withLog(settings, async (log) => {
    return work(await rootAt(await rootIn(log, id, settings.workflows), at));
  });
}

/** The session, run or conversation of a log with this id. @throws RejectionError if there is none */
export async function rootIn(log: EventLog, id: string, workflows: WorkflowRegistry): Promise<RootInLog> {
  const { root, stream } = (await findRoot(log, id, workflows)) ?? refuseUnknownRoot(id);
  return { root, log, stream: log.streams.withPrefix(stream) };
}

/** A root in the log up to a moment. @throws RejectionError for a moment that is malformed, or not of it */
export async function rootAt(root: RootInLog, at: string | undefined): Promise<RootInLog> {
  return at === undefined ? root : { ...root, log: (await momentOf(root, at)).log };
}

/**
 * A session, run or conversation at a past moment.
 * @param at a revision, a time, or `position:<position>`
 * @throws RejectionError for a moment that is malformed, or not of it
 */
export function momentOf({ root: { id }, log, stream }: RootInLog, at: string): Promise<PastMoment> {
  const { category } = log.streams.parse(stream) ?? refuseUnknownRoot(id);
  const seen = { ...sessionSeen(id), category };
  return pastMoment({ log, models: folded, requests: runRequests }, seen, at);
}
