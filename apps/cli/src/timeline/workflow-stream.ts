import type { EventLog } from '#lib/event-store';
import type { TimelineEvent } from './timeline-event.js';

/** The stream of the run that an event begins: of a solicitation, an arbitration, a child. The event is there before that stream. */
export function workflowStream({ streams }: EventLog, { type, data }: TimelineEvent): string | undefined {
  if (type === 'ChildStarted') return streams.of(data.workflow, data.runId);
  if (type === 'ProposalSolicited') return streams.of('solicitation', data.solicitationId);
  return type === 'ArbitrationRequested' ? streams.of('arbitration', data.arbitrationId) : undefined;
}
