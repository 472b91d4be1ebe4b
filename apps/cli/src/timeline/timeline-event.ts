import type { RecordedEvent } from '#lib/kernel';
import type { SessionEvent } from '#lib/session';
import type { SolicitationEvent } from '#lib/solicitation';
import type { RunEvent } from './describe-run-event.js';

/** What a session's timeline shows: its own events, and those of its solicitations and arbitrations. */
export type TimelineEvent =
  RecordedEvent<SessionEvent> | RecordedEvent<SolicitationEvent> | RecordedEvent<RunEvent>;
