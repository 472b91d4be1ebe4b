import type { EventLog } from '#lib/event-store';
import { reject, type Rejection } from '#lib/kernel';
import { noteSubject, orRefused, RejectionError } from '#lib/operations/core';
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
    const view = orRefused(await sessionAt(this.log, sessionId, revision));
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

/** The session right after a revision of its stream. Nothing is written. */
export async function sessionAt(
  log: EventLog,
  sessionId: string,
  revision: number,
): Promise<SessionView | Rejection> {
  if (!Number.isSafeInteger(revision) || revision < 0) return malformedRevision(revision);
  const events = await log.readStream<SessionEvent>(log.streams.of('session', sessionId), {
    limit: revision + 1,
  });
  const view = sessionViewAt(events);
  if (!view) return sessionRejections.unknownSession(sessionId);
  return events.length === revision + 1 ? view : noSuchRevision(sessionId, revision, events.length - 1);
}

function malformedRevision(revision: number): Rejection {
  const text = {
    what: `revision ${revision}`,
    why: 'it is not a whole number from 0',
  };
  return reject(
    'malformed',
    'malformed-revision',
    { ...text, fix: 'Count the events of the stream from 0' },
    [{ path: '/revision', message: 'is not a whole number from 0' }],
  );
}

function noSuchRevision(sessionId: string, revision: number, last: number): Rejection {
  return reject('unknown', 'unknown-revision', {
    what: `revision ${revision} of session ${sessionId}`,
    why: `its last one is ${last}`,
    fix: `Ask for a revision from 0 to ${last}`,
  });
}
