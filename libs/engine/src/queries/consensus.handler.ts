import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { EventLog } from '#lib/event-store';
import { fold } from '#lib/kernel';
import {
  type ConsensusView,
  evaluateConsensus,
  sessionDecider,
  type SessionEvent,
  sessionRejections,
} from '#lib/session';
import { Rosters } from '../process-manager/rosters.js';
import { roundBegan } from '../process-manager/ticker.js';
import { ReadSide } from '../read-side/read-side.js';
import { RejectionError } from '../write-side/rejection-error.js';
import { ConsensusQuery } from './consensus.query.js';

@QueryHandler(ConsensusQuery)
export class ConsensusHandler implements IQueryHandler<ConsensusQuery> {
  constructor(
    private readonly reads: ReadSide,
    private readonly log: EventLog,
    private readonly rosters: Rosters,
  ) {}

  async execute({ sessionId, minPosition }: ConsensusQuery): Promise<ConsensusView> {
    await this.reads.reached(['specialists', 'alignment'], minPosition);
    const history = await this.log.readStream<SessionEvent>(this.log.streams.of('session', sessionId));
    const session = fold(sessionDecider, history);
    if (!session) throw new RejectionError(sessionRejections.unknownSession(sessionId));
    const { arbiter, ...roster } = await this.rosters.of(session, { roundBegan: roundBegan(history) });
    if (!arbiter)
      throw new RejectionError(sessionRejections.noArbiter(session.machineName, session.currentState));
    return evaluateConsensus(session, arbiter, roster);
  }
}
