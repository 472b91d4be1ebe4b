import type { RecordedEvent } from '#lib/kernel';
import type { SessionEvent } from '#lib/session';
import type { RunEvent } from './describe-run-event.js';
import type { SolicitationEvent } from './describe-solicitation-event.js';

/** The events of a session's timeline: its own, and those of its solicitations and arbitrations. */
export type TimelineEvent =
  RecordedEvent<SessionEvent> | RecordedEvent<SolicitationEvent> | RecordedEvent<RunEvent>;
