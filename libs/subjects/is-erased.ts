import type { EventLog } from '#lib/event-store';
import type { SubjectEvent } from './subject.events.js';

/** Whether the log says that a subject is erased. @throws StoreUnavailable */
export async function isErased(log: EventLog, subject: string): Promise<boolean> {
  const events = await log.store.readStream(log.streams.of('subject', subject));
  return events.some(({ type }) => type === ('SubjectErased' satisfies SubjectEvent['type']));
}
