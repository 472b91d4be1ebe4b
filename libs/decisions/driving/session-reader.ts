import type { EventLog } from '#lib/event-store';
import { isRejection } from '#lib/kernel';
import { noteSubject, RejectionError } from '#lib/operations/core';
import { sessionAt } from './replay/session-at.js';
import {
  type SessionEvent,
  sessionRejections,
  sessionViewAt,
  type SessionView,
} from '#lib/decisions/session';

/** Sessions from the log, at any revision. */
export class SessionReader {
  constructor(private readonly log: EventLog) {}

  /** @throws RejectionError if there is no such session, or no such revision of it */
  async at(sessionId: string, revision: number): Promise<SessionView> {
    const view = await sessionAt(this.log, sessionId, revision);
    if (isRejection(view)) throw new RejectionError(view);
    noteSubject(view.subject);
    return view;
  }

  /** The current session; with a position, the session at that position of the log. @throws RejectionError if there is no such session */
  async now(sessionId: string, position?: string): Promise<SessionView> {
    const events = await this.log.readStream<SessionEvent>(this.log.streams.of('session', sessionId));
    const then = position === undefined ? events : events.filter((event) => event.position <= position);
    const view = sessionViewAt(then);
    if (!view) throw new RejectionError(sessionRejections.unknownSession(sessionId));
    noteSubject(view.subject);
    return view;
  }
}
