import type { EventLog } from '#lib/event-store';
import type { SessionEvent } from '#lib/session';
import type { RunEvent } from './describe-run-event.js';
import type { SolicitationEvent } from './describe-solicitation-event.js';
import type { TimelineEvent } from './timeline-event.js';
import { workflowStream } from './workflow-stream.js';

/**
 * Every event of a session, of its solicitations and arbitrations, and of their children, in log order, from the log alone. Empty where there is
 * no such session.
 */
export async function sessionTimeline(log: EventLog, sessionId: string): Promise<readonly TimelineEvent[]> {
  const own = await log.readStream<SessionEvent>(log.streams.of('session', sessionId));
  const all = await withRuns(log, own);
  return all.toSorted((a, b) => (a.position < b.position ? -1 : 1));
}

/** The events, and those of the runs that they begin. */
async function withRuns(log: EventLog, events: readonly TimelineEvent[]): Promise<readonly TimelineEvent[]> {
  const streams = events.flatMap((event) => workflowStream(log, event) ?? []);
  const theirs = streams.map(async (stream) =>
    withRuns(log, await log.readStream<SolicitationEvent | RunEvent>(stream)),
  );
  return [...events, ...(await Promise.all(theirs)).flat()];
}
