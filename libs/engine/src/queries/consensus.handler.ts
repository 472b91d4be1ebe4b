import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { EventLog } from '#lib/event-store';
import { ReadSide, RejectionError } from '#lib/operations';
import { type ConsensusView, evaluateConsensus, sessionRejections } from '#lib/session';
import { Rosters } from '../process-manager/rosters.js';
import { roundPlace } from '../sessions/round-place.js';
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
    const { session, roundBegan } = await roundPlace(this.log, sessionId);
    const { arbiter, ...roster } = await this.rosters.of(session, { roundBegan });
    if (!arbiter)
      throw new RejectionError(sessionRejections.noArbiter(session.machineName, session.currentState));
    return evaluateConsensus(session, arbiter, roster);
  }
}
