import { ERASED, type EventLog } from '#lib/event-store';
import type { KeyOfSubject } from './history-lines.js';
import type { HistoryPlan } from './history-plan.js';

/** The keys of the subjects of a history, but for those that were erased. @throws StoreUnavailable @throws KeyMissing */
export async function keysOfHistory(
  { keys }: EventLog,
  { subjects }: HistoryPlan,
): Promise<readonly KeyOfSubject[]> {
  const found: KeyOfSubject[] = [];
  for (const subject of subjects) {
    const key = await keys.source.find(subject);
    if (key !== undefined && key !== ERASED)
      found.push({ subject, key: Buffer.from(key).toString('base64') });
  }
  return found;
}
