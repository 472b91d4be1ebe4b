import type { EventLog, Position, StoredEvent } from '#lib/event-store';
import type { TimelineEvent } from './timeline-event.js';

/** A session's events as they come. */
export interface FollowedSession {
  /** Resolves once everything that was in the log when it was called has been told. Then nothing more is. */
  end(): Promise<void>;
}

/**
 * Tells every event of a session and of its solicitations, in log order, as it is appended, whoever appends it.
 * @param after a position from before the session was created
 */
export function followSession(
  log: EventLog,
  sessionId: string,
  after: Position | undefined,
  tell: (event: TimelineEvent) => void,
): FollowedSession {
  const stopping = new AbortController();
  const streams = new Set([log.streams.of('session', sessionId)]);
  let last: Position | undefined;
  let until: Position | undefined;
  const take = async (stored: StoredEvent): Promise<void> => {
    if (!streams.has(stored.stream)) return;
    const event = (await log.decode(stored)) as TimelineEvent;
    // A session names its solicitation before that one's stream begins.
    if (event.type === 'ProposalSolicited')
      streams.add(log.streams.of('solicitation', event.data.solicitationId));
    tell(event);
  };
  const following = (async () => {
    for await (const batch of log.store.subscribe(after, stopping.signal)) {
      for (const stored of batch) await take(stored);
      last = batch.at(-1)?.position ?? last;
      if (until !== undefined && (last ?? '') >= until) return;
    }
  })();
  // Whoever ends it hears of a failure; until then it must not count as unhandled.
  following.catch(() => undefined);
  return {
    async end() {
      until = await log.store.head();
      if ((last ?? '') >= (until ?? '')) stopping.abort();
      await following;
    },
  };
}
