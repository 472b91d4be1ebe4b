import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { type ConsensusView, evaluateConsensus, sessionDecider, sessionRejections } from '#lib/session';
import { Rosters } from '../process-manager/rosters.js';
import { ReadSide } from '../read-side/read-side.js';
import { CommandWriter } from '../write-side/command-writer.js';
import { RejectionError } from '../write-side/rejection-error.js';
import { ConsensusQuery } from './consensus.query.js';

@QueryHandler(ConsensusQuery)
export class ConsensusHandler implements IQueryHandler<ConsensusQuery> {
  constructor(
    private readonly reads: ReadSide,
    private readonly writer: CommandWriter,
    private readonly rosters: Rosters,
  ) {}

  async execute({ sessionId, minPosition }: ConsensusQuery): Promise<ConsensusView> {
    await this.reads.reached(['specialists', 'alignment'], minPosition);
    const session = await this.writer.state(sessionDecider, { category: 'session', id: sessionId });
    if (!session) throw new RejectionError(sessionRejections.unknownSession(sessionId));
    const { arbiter, alignment } = await this.rosters.of(session);
    if (!arbiter)
      throw new RejectionError(sessionRejections.noArbiter(session.machineName, session.currentState));
    return evaluateConsensus(session, arbiter, alignment);
  }
}
