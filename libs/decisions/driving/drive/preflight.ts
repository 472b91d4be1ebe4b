import { builtInArbiter } from '#lib/decisions/session';
import type { Arbitrations } from '../arbitrations/arbitrations.js';
import type { SessionContext } from '../round-context.js';
import type { ProposerCheck } from '../solicitations/proposer-mode.js';
import type { Proposers } from '../solicitations/proposers.js';
import type { Participants } from './participants.js';

/** Checks, before a session begins, that this process can ask all specialists that it may need. */
export class Preflight {
  constructor(
    private readonly participants: Participants,
    private readonly proposers: Proposers,
    private readonly process: ProposerCheck,
    private readonly arbitrations: Arbitrations,
  ) {}

  /** @throws RejectionError for the first that it cannot ask */
  async check(session: SessionContext): Promise<void> {
    const { proposers, arbiter } = await this.participants.of(session);
    for (const specialistId of proposers) {
      const proposer = await this.proposers.find(specialistId, { session });
      this.process.check(this.proposers.executionOf(proposer));
    }
    if (arbiter && !builtInArbiter(arbiter)) this.arbitrations.check(arbiter);
  }
}
