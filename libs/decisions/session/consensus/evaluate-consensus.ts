import { ownMember } from '#lib/kernel';
import { transitionsOf } from '#lib/decisions/machines';
import type { Roster } from '../process/roster.js';
import { approvalsNeeded, isForPeople, weighedProposals } from '../people/needs-person.rules.js';
import type { Session } from '../session.state.js';
import type { ArbiterRef, Verdict } from './consensus-question.js';
import { builtInArbiter } from './built-in-arbiters.js';
import { effectiveThreshold } from './effective-threshold.js';
import { type Quorum, quorumShortfall, writtenQuorum } from './quorum.js';
import { effectiveTrust } from './trust.js';

/** An evaluation of the current round. It changes nothing. */
export interface ConsensusView extends Verdict {
  /** The effective threshold, if one is set. */
  readonly threshold?: number;
  /** The quorum of arbitrations by the engine. */
  readonly quorum: Quorum;
}

/**
 * The arbiter's verdict on the current round. An arbiter that is not built in is not asked: its last verdict is shown. A quorum
 * of the machine applies here too.
 */
export function evaluateConsensus(
  session: Session,
  arbiter: ArbiterRef,
  { alignment, quorum: needed }: Pick<Roster, 'alignment' | 'quorum'>,
): ConsensusView {
  const { machine, currentState, proposals } = session;
  const threshold = effectiveThreshold(machine, currentState, arbiter);
  const limit = threshold !== undefined && { threshold };
  const quorum = { needed, present: proposals.length };
  const isBinding = writtenQuorum(session) !== undefined;
  const shortfall = isBinding ? quorumShortfall(quorum) : undefined;
  if (shortfall !== undefined) return { consensusReached: false, reasoning: shortfall, ...limit, quorum };
  const builtIn = builtInArbiter(arbiter);
  const trust = effectiveTrust(session, arbiter);
  const question = { proposals: weighedProposals(session), alignment, ...limit, ...(trust && { trust }) };
  const verdict = builtIn ? builtIn(question) : lastVerdict(session, arbiter);
  return { ...(leftToPeople(session, verdict) ?? verdict), ...limit, quorum };
}

/** The verdict without consensus, if the chosen transition needs people. */
function leftToPeople(session: Session, { winningProposalId, reasoning }: Verdict): Verdict | undefined {
  const winner = session.proposals.find(({ proposalId }) => proposalId === winningProposalId);
  if (!winner) return undefined;
  const { machine, currentState } = session;
  const transition = ownMember(transitionsOf(machine, currentState), winner.transitionName);
  const isLeft = approvalsNeeded(session) > 1 || isForPeople(session, transition, winner.metaJson);
  return isLeft ? { consensusReached: false, reasoning: `a person decides: ${reasoning}` } : undefined;
}

function lastVerdict({ judgement }: Session, arbiter: ArbiterRef): Verdict {
  if (judgement?.basis.arbiter.specialistId !== arbiter.specialistId)
    return { consensusReached: false, reasoning: 'the arbiter has not judged this round' };
  const { reasoning, margin } = judgement;
  return { consensusReached: false, reasoning, ...(margin !== undefined && { margin }) };
}
