import type { Event, RecordedEvent } from '#lib/kernel';
import type { CloseArbitration, CloseSolicitation, SessionEvent } from '#lib/session';
import type { Activities, Workflow } from '#lib/legacy-workflow';

/** A kind of workflow that sessions begin, and what is its own in that. */
export interface SessionWorkflow<State, E extends Event, Request extends SessionEvent> {
  /** Of its streams. */
  readonly category: 'solicitation' | 'arbitration';
  readonly workflow: Workflow<State, E>;
  /** Of the event that says in the session that one is begun. */
  readonly requestType: Request['type'];
  /** Of the events in the session of which exactly one ends it. */
  readonly closingTypes: readonly SessionEvent['type'][];
  /** The id of the workflow that an event of the session is about. */
  idIn(event: SessionEvent): string | undefined;
  /**
   * Its start event; `undefined` where what it needs is not there.
   * @param history the session's stream, as far as it is known
   */
  start(
    request: RecordedEvent<Request>,
    history: readonly RecordedEvent<SessionEvent>[],
  ): Promise<E | undefined>;
  activities(start: E): Activities<E>;
  /** What brings its end into the session; `undefined` for an event that ends none. */
  closing(sessionId: string, id: string, end: E): CloseSolicitation | CloseArbitration | undefined;
}
