import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { EventLog } from '#lib/event-store';
import { RejectionError } from '#lib/operations';
import { type ReplayReport, verifySession } from '#lib/replay';
import { sessionRejections } from '#lib/session';
import { VerifySessionQuery } from './verify-session.query.js';

@QueryHandler(VerifySessionQuery)
export class VerifySessionHandler implements IQueryHandler<VerifySessionQuery> {
  constructor(private readonly log: EventLog) {}

  async execute({ sessionId }: VerifySessionQuery): Promise<ReplayReport> {
    const report = await verifySession(this.log, sessionId);
    if (!report) throw new RejectionError(sessionRejections.unknownSession(sessionId));
    return report;
  }
}
