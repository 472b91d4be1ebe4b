import type { EventLog, Position, StoredEvent } from '#lib/event-store';
import { sessionTimeline } from './session-timeline.js';
import type { TimelineEvent } from './timeline-event.js';
import { workflowStream } from './workflow-stream.js';

/** A session's events as they come. */
interface FollowedSession {
  /** Resolves once all events that were in the log at the call are printed, and stops printing. */
  end(): Promise<void>;
}

/**
 * Tells every event of a session, of its solicitations and arbitrations, and of their children, in log order, as any process appends it.
 * @param after where to begin in the log; `undefined`: at its start
 */
export function followSession(
  log: EventLog,
  sessionId: string,
  after: Position | undefined,
  tell: (event: TimelineEvent) => void,
): FollowedSession {
  const stopping = new AbortController();
  const own = log.streams.of('session', sessionId);
  const streams = new Set([own]);
  const note = (event: TimelineEvent) => {
    const stream = workflowStream(log, event);
    if (stream !== undefined) streams.add(stream);
  };
  let last = after;
  let until: Position | undefined;
  const take = async (stored: StoredEvent): Promise<void> => {
    if (!streams.has(stored.stream)) return;
    const event = (await log.decode(stored)) as TimelineEvent;
    note(event);
    tell(event);
  };
  const following = (async () => {
    // Runs from before the start may still be open.
    for (const event of await sessionTimeline(log, sessionId)) note(event);
    for await (const batch of log.store.subscribe(after, stopping.signal)) {
      for (const stored of batch) await take(stored);
      last = batch.at(-1)?.position ?? last;
      if (until !== undefined && (last ?? '') >= until) return;
    }
  })();
  // The caller that ends it gets the failure; until then it must not count as unhandled.
  following.catch(() => undefined);
  return {
    async end() {
      until = await log.store.head();
      if ((last ?? '') >= (until ?? '')) stopping.abort();
      await following;
    },
  };
}
