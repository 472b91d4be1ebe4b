import type { EventLog } from '#lib/event-store';
import { findRoot, refuseUnknownRoot } from '#lib/histories/core';
import { isHistoryFile } from '../input/history-file.js';
import { sessionIdOf } from '../input/named-id.js';
import { momentOf } from './moment-of.js';
import { withHistory } from './with-history.js';
import { settingsFor, withLog } from './with-log.js';

/** A session, run or conversation in a log that ends where it is looked at. */
export interface Root {
  readonly log: EventLog;
  readonly id: string;
  /** With the prefix of the log. */
  readonly stream: string;
}

/**
 * A session, run or conversation, of the log or of a history file.
 * @param named its id, or the file
 * @param at the moment; absent: now
 * @throws RejectionError if there is none, or not at this moment
 */
export async function withRoot<T>(
  named: string,
  { dataDir, at }: { readonly dataDir?: string | undefined; readonly at?: string | undefined },
  work: (root: Root) => Promise<T>,
): Promise<T> {
  if (isHistoryFile(named))
    return withHistory(named, async ({ log, stream, head: { root } }) =>
      work(await rootAt({ log, stream, id: root.id }, at)),
    );
  const id = await sessionIdOf(named, { dataDir });
  const settings = settingsFor(dataDir);
  return withLog(settings, async (log) => {
    const { stream } = (await findRoot(log, id, settings.workflows)) ?? refuseUnknownRoot(id);
    return work(await rootAt({ log, id, stream: log.streams.withPrefix(stream) }, at));
  });
}

async function rootAt(root: Root, at: string | undefined): Promise<Root> {
  if (at === undefined) return root;
  const category = root.log.streams.parse(root.stream)?.category;
  return { ...root, log: (await momentOf(root.log, root.id, at, category)).log };
}
