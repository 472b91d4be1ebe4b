import type { EventLog } from '#lib/event-store';
import type { SessionEvent } from '#lib/session';
import type { RunEvent } from './describe-run-event.js';
import type { SolicitationEvent } from './describe-solicitation-event.js';
import type { TimelineEvent } from './timeline-event.js';
import { workflowStream } from './workflow-stream.js';

/**
 * Every event of a session, of its solicitations and of its arbitrations, in log order, from the log alone. Empty where there is
 * no such session.
 */
export async function sessionTimeline(log: EventLog, sessionId: string): Promise<readonly TimelineEvent[]> {
  const own = await log.readStream<SessionEvent>(log.streams.of('session', sessionId));
  const streams = own.flatMap((event) => workflowStream(log, event) ?? []);
  const theirs = await Promise.all(
    streams.map((stream) => log.readStream<SolicitationEvent | RunEvent>(stream)),
  );
  const all: readonly TimelineEvent[] = [...own, ...theirs.flat()];
  return all.toSorted((a, b) => (a.position < b.position ? -1 : 1));
}
