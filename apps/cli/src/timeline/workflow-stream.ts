import type { EventLog } from '#lib/event-store';
import type { TimelineEvent } from './timeline-event.js';

/** The stream of the solicitation or arbitration that an event of a session begins. The session names it before that stream is there. */
export function workflowStream({ streams }: EventLog, { type, data }: TimelineEvent): string | undefined {
  if (type === 'ProposalSolicited') return streams.of('solicitation', data.solicitationId);
  return type === 'ArbitrationRequested' ? streams.of('arbitration', data.arbitrationId) : undefined;
}
