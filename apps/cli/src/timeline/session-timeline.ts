import type { EventLog } from '#lib/event-store';
import type { SessionEvent } from '#lib/session';
import type { SolicitationEvent } from '#lib/solicitation';
import type { TimelineEvent } from './timeline-event.js';

/** Every event of a session and of its solicitations, in log order, from the log alone. Empty where there is no such session. */
export async function sessionTimeline(log: EventLog, sessionId: string): Promise<readonly TimelineEvent[]> {
  const own = await log.readStream<SessionEvent>(log.streams.of('session', sessionId));
  const solicited = own.filter((event) => event.type === 'ProposalSolicited');
  const theirs = await Promise.all(
    solicited.map(({ data }) =>
      log.readStream<SolicitationEvent>(log.streams.of('solicitation', data.solicitationId)),
    ),
  );
  const all: readonly TimelineEvent[] = [...own, ...theirs.flat()];
  return all.toSorted((a, b) => (a.position < b.position ? -1 : 1));
}
