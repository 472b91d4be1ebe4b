import type {
  AlignmentSnapshot,
  ConsensusReached,
  HumanInputRequested,
  HumanOverrideAccepted,
  OpenProposal,
  ProposalSubmitted,
  SessionEvent,
  TransitionExecuted,
} from '#lib/decisions/session';
import { id, type PlacedEvent } from './sample-log.js';

/** Without an actor. */
export const noAlignment: AlignmentSnapshot = { rule: 'wilson', ruleVersion: 1, scores: [] };

export function inSession(sessionId: string, event: SessionEvent): PlacedEvent {
  return { category: 'session', id: sessionId, event };
}

/** A proposal of a transition; its id derives from the round and the proposer. */
export function proposalOf(
  specialistId: string,
  transitionName: string,
  over: Partial<ProposalSubmitted['data']> = {},
): ProposalSubmitted['data'] {
  const roundId = over.roundId ?? 'r1';
  return {
    proposalId: id(`${roundId} ${specialistId}`),
    roundId,
    specialistId,
    specialistVersion: 1,
    isHuman: false,
    transitionName,
    toState: 'constructor',
    reasoning: 'because',
    ...over,
  };
}

export function submitted(...of: Parameters<typeof proposalOf>): ProposalSubmitted {
  return { type: 'ProposalSubmitted', data: proposalOf(...of) };
}

export function executed(over: Partial<TransitionExecuted['data']> = {}): TransitionExecuted {
  const said = { transitionName: 'approve', fromState: 'draft', toState: 'constructor', reasoning: 'fine' };
  return {
    type: 'TransitionExecuted',
    data: { roundId: 'r1', nextRoundId: 'r2', ...said, isHuman: false, decidedBy: 'judge', ...over },
  };
}

export function consensus(over: Partial<ConsensusReached['data']> = {}): ConsensusReached {
  return {
    type: 'ConsensusReached',
    data: {
      arbitrationId: id('arbitration'),
      roundId: 'r1',
      winningProposalId: id('r1 a'),
      reasoning: 'clear',
      arbiter: { specialistId: 'judge', specialistVersion: 1, strategyFnName: 'alignmentMargin' },
      proposals: [],
      alignment: noAlignment,
      ...over,
    },
  };
}

export function override(
  proposals: readonly OpenProposal[],
  over: Partial<HumanOverrideAccepted['data']> = {},
): HumanOverrideAccepted {
  const { state = 'draft' } = over.scope ?? {};
  return {
    type: 'HumanOverrideAccepted',
    data: {
      arbitrationId: id('arbitration'),
      roundId: 'r1',
      specialistId: 'ann',
      specialistVersion: 1,
      transitionName: 'approve',
      toState: 'constructor',
      reasoning: 'I know',
      scope: { machineName: 'review' },
      fromState: state,
      proposals,
      alignment: noAlignment,
      ...over,
    },
  };
}

export function humanInputRequested(over: Partial<HumanInputRequested['data']> = {}): HumanInputRequested {
  return {
    type: 'HumanInputRequested',
    data: { roundId: 'r1', reason: 'no-proposals', detail: 'nobody answered', ...over },
  };
}
