import type { EventLog, Position, StoredEvent } from '#lib/event-store';
import { type Followed, followEvents } from './follow-events.js';
import { sessionTimeline } from './session-timeline.js';
import type { TimelineEvent } from './timeline-event.js';
import { workflowStream } from './workflow-stream.js';

/**
 * Tells every event of a session, of its solicitations and arbitrations, and of their children, in log order, as any process appends it.
 * @param after where to begin in the log; `undefined`: at its start
 */
export function followSession(
  log: EventLog,
  sessionId: string,
  after: Position | undefined,
  tell: (event: TimelineEvent) => void,
): Followed {
  const streams = new Set([log.streams.of('session', sessionId)]);
  const note = (event: TimelineEvent) => {
    const stream = workflowStream(log, event);
    if (stream !== undefined) streams.add(stream);
  };
  const take = async (stored: StoredEvent): Promise<void> => {
    if (!streams.has(stored.stream)) return;
    const event = (await log.decode(stored)) as TimelineEvent;
    note(event);
    tell(event);
  };
  return followEvents(log.store, after, take, async () => {
    // Runs from before the start may still be open.
    for (const event of await sessionTimeline(log, sessionId)) note(event);
  });
}
