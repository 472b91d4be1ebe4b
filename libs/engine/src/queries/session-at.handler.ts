import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { ReadSide } from '#lib/operations';
import type { SessionView } from '#lib/session';
import { SessionReader } from '../sessions/session-reader.js';
import { SessionAtQuery } from './session-at.query.js';

@QueryHandler(SessionAtQuery)
export class SessionAtHandler implements IQueryHandler<SessionAtQuery> {
  constructor(
    private readonly sessions: SessionReader,
    private readonly reads: ReadSide,
  ) {}

  /** The log, which has at once what was acknowledged, is all it reads: a `minPosition` is only looked at. */
  async execute({ sessionId, revision, minPosition }: SessionAtQuery): Promise<SessionView> {
    if (minPosition !== undefined) await this.reads.reached([], minPosition);
    return this.sessions.at(sessionId, revision);
  }
}
