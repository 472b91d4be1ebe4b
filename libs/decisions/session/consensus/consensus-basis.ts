import { jsonText, present } from '#lib/kernel';
import { weighedProposals } from '../people/needs-person.rules.js';
import type { Session } from '../session.state.js';
import type { AlignmentSnapshot } from './alignment-snapshot.js';
import type { ArbiterRef, ConsensusBasis, ProposalRef } from './consensus-question.js';
import { effectiveThreshold } from './effective-threshold.js';
import { writtenQuorum } from './quorum.js';
import { effectiveTrust } from './trust.js';

/** The basis on which an arbiter judges the current round. */
export function consensusBasis(
  session: Session,
  arbiter: ArbiterRef,
  alignment: AlignmentSnapshot,
  enginesQuorum?: number,
): ConsensusBasis {
  const threshold = effectiveThreshold(session.machine, session.currentState, arbiter);
  const quorum = writtenQuorum(session) ?? enginesQuorum;
  const trust = effectiveTrust(session, arbiter);
  return {
    arbiter,
    proposals: weighedProposals(session).map(proposalRef),
    alignment,
    ...present({ threshold, trust, quorum }),
  };
}

function proposalRef({ proposalId, specialistId, specialistVersion, isHuman, transitionName }: ProposalRef) {
  return { proposalId, specialistId, specialistVersion, isHuman, transitionName };
}

/** Whether two evaluations of a round have the same basis. The quorum and the position of the scores do not count. */
export function sameBasis(one: ConsensusBasis, other: ConsensusBasis): boolean {
  return essence(one) === essence(other);
}

function essence({ arbiter, proposals, alignment, threshold, trust }: ConsensusBasis): string {
  const { position: _, ...scores } = alignment;
  return jsonText({ arbiter, proposals, scores, threshold, trust });
}
