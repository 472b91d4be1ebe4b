import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import type { SessionView } from '#lib/session';
import { SessionReader } from '../sessions/session-reader.js';
import { SessionAtQuery } from './session-at.query.js';

@QueryHandler(SessionAtQuery)
export class SessionAtHandler implements IQueryHandler<SessionAtQuery> {
  constructor(private readonly sessions: SessionReader) {}

  execute({ sessionId, revision }: SessionAtQuery): Promise<SessionView> {
    return this.sessions.at(sessionId, revision);
  }
}
