import { fold, isRejection } from '#lib/kernel';
import { type Session, type SessionCommand, sessionDecider } from '#lib/decisions/session';
import type { Facts } from '../solicitations/facts.js';
import type { ProposerCheck } from '../solicitations/proposer-mode.js';

/** Checks, before a fork is recorded, the models of the proposers that it asks again. */
export class CallableModels {
  constructor(
    private readonly facts: Facts,
    private readonly proposers: ProposerCheck,
  ) {}

  /**
   * @param session as the copied events leave it
   * @throws RejectionError when this process could not call one of them
   */
  async check(session: Session, command: SessionCommand): Promise<void> {
    const events = sessionDecider.decide(command, session);
    if (isRejection(events)) return;
    const forked = fold(sessionDecider, events, session);
    for (const { type, data } of events) {
      if (type !== 'ProposalSolicited' || !forked) continue;
      this.proposers.checkModels(await this.facts.executionOf(data, forked));
    }
  }
}
