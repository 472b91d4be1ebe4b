import { ERASED, type EventLog } from '#lib/event-store';
import { recordHistory } from '#lib/subjects/core';
import { HistoryIsReadOnly } from './history-is-read-only.js';
import type { KeyOfSubject } from './history-lines.js';
import type { HistoryPlan } from './history-plan.js';

/** The person or program that a history is for. */
interface Reader {
  readonly by: string;
  readonly hasKeys: boolean;
  /** Asked once there is a key: not while the log waits for a claim, as an event in a copy would end copying to it. */
  readonly mayRecord: () => boolean | Promise<boolean>;
}

/**
 * The keys that a history is given with. That it is given is recorded first for each of its subjects which is not erased, with the key
 * and without; a log that is a history file itself records nothing. Where nothing may be recorded, no key is given.
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
