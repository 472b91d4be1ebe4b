import { ERASED, type EventLog } from '#lib/event-store';
import { recordHistory } from '#lib/subjects/core';
import { HistoryIsReadOnly } from './history-is-read-only.js';
import type { KeyOfSubject } from './history-lines.js';
import type { HistoryPlan } from './history-plan.js';

/** The person or program that gets the history. */
interface Reader {
  readonly by: string;
  readonly hasKeys: boolean;
  /** Called once there is a key. False while the log waits for a claim: an event in a copy would end the copying to it. */
  readonly mayRecord: () => boolean | Promise<boolean>;
}

/**
 * The keys that a history is given with. Before that, the log records for each subject that is not erased that its history is
 * given, with the key or without. A log that is a history file records nothing. If the log may not record, no key is given.
 * @throws KeyMissing @throws ConflictNotSettled @throws StoreUnavailable
 */
export async function keysOfHistory(
  log: EventLog,
  { root: { kind, id }, subjects }: HistoryPlan,
  { by, hasKeys: hasKey, mayRecord }: Reader,
): Promise<readonly KeyOfSubject[]> {
  const given: KeyOfSubject[] = [];
  for (const subject of subjects) {
    const key = await log.keys.source.find(subject);
    if (key === undefined || key === ERASED) continue;
    if (!(await mayRecord())) return [];
    const isOpen = await recordHistory(log, subject, { kind, id, by, hasKey }).catch(isOfFile);
    if (isOpen && hasKey) given.push({ subject, key: Buffer.from(key).toString('base64') });
  }
  return given;
}

function isOfFile(error: unknown): true {
  if (error instanceof HistoryIsReadOnly) return true;
  throw error;
}
