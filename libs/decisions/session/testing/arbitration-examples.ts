import type { CloseArbitration, RequestHumanInput, SubmitArbitration } from '../session.commands.js';
import type { AlignmentSnapshot } from '../consensus/alignment-snapshot.js';
import type { ArbiterRef, ConsensusBasis } from '../consensus/consensus-question.js';
import type {
  ArbitrationFailed,
  ArbitrationRequested,
  ConsensusNotReached,
  ConsensusReached,
  HumanInputRequested,
  ProposalSubmitted,
  VerdictSetAside,
} from '../session.events.js';
import { proposed, SESSION_ID } from './session-examples.js';

export const FIRST: ArbiterRef = {
  specialistId: 'arbiter',
  specialistVersion: 1,
  strategyFnName: 'firstProposal',
};
export const MARGIN: ArbiterRef = {
  specialistId: 'arbiter',
  specialistVersion: 1,
  strategyFnName: 'alignmentMargin',
};
/** A function of the application, or a webhook: its verdict is not known here. */
export const EXTERNAL: ArbiterRef = {
  specialistId: 'arbiter',
  specialistVersion: 1,
  strategyFnName: 'committee',
};

export function alignment(
  scores: { readonly [specialistId: string]: number } = {},
  over: Partial<AlignmentSnapshot> = {},
): AlignmentSnapshot {
  const list = Object.entries(scores).map(([specialistId, score]) => ({
    specialistId,
    specialistVersion: 1,
    score,
  }));
  return { rule: 'wilson', ruleVersion: 1, scores: list, ...over };
}

/** The second proposal of round-1, for the other transition. */
export function opposed(over: Partial<ProposalSubmitted['data']> = {}): ProposalSubmitted {
  const other = { proposalId: 'proposal-2', specialistId: 'other' };
  return proposed({ ...other, transitionName: 'escalate', toState: 'escalated', ...over });
}

export function basis(
  arbiter: ArbiterRef,
  proposals: readonly ProposalSubmitted[],
  over: Partial<ConsensusBasis> = {},
): ConsensusBasis {
  const refs = proposals.map(
    ({ data: { proposalId, specialistId, specialistVersion, isHuman, transitionName } }) => ({
      proposalId,
      specialistId,
      specialistVersion,
      isHuman,
      transitionName,
    }),
  );
  return { arbiter, proposals: refs, alignment: alignment(), ...over };
}

export function arbitrate(over: Partial<SubmitArbitration['data']> = {}): SubmitArbitration {
  const ids = { sessionId: SESSION_ID, arbitrationId: 'arbitration-1', nextRoundId: 'round-2' };
  return {
    type: 'SubmitArbitration',
    data: { ...ids, isHuman: false, alignment: alignment(), arbiter: FIRST, ...over },
  };
}

/** A human forces a transition. */
export function force(over: Partial<SubmitArbitration['data']> = {}): SubmitArbitration {
  return arbitrate({
    specialistId: 'ada',
    specialistVersion: 1,
    isHuman: true,
    transitionName: 'escalate',
    ...over,
  });
}

const asked = { arbitrationId: 'arbitration-1', roundId: 'round-1' };

export function arbitrationRequested(
  looked: ConsensusBasis,
  over: Partial<ArbitrationRequested['data']> = {},
): ArbitrationRequested {
  return { type: 'ArbitrationRequested', data: { ...asked, ...looked, given: {}, ...over } };
}

export function reached(
  looked: ConsensusBasis,
  over: Partial<ConsensusReached['data']> = {},
): ConsensusReached {
  const yes = { winningProposalId: 'proposal-1', reasoning: 'assistant proposed first' };
  return { type: 'ConsensusReached', data: { ...asked, ...looked, ...yes, ...over } };
}

export function notReached(
  looked: ConsensusBasis,
  over: Partial<ConsensusNotReached['data']> = {},
): ConsensusNotReached {
  return { type: 'ConsensusNotReached', data: { ...asked, ...looked, reasoning: 'split', ...over } };
}

export const SPLIT = { consensusReached: false, reasoning: 'split' } as const;
export const AGREED = {
  consensusReached: true,
  winningProposalId: 'proposal-1',
  reasoning: 'agreed',
} as const;

export function verdictSetAside(
  reason: VerdictSetAside['data']['reason'],
  verdict: VerdictSetAside['data']['verdict'] = AGREED,
): VerdictSetAside {
  return { type: 'VerdictSetAside', data: { ...asked, verdict, reason } };
}

export const NO_VERDICT: ArbitrationFailed = {
  type: 'ArbitrationFailed',
  data: { ...asked, failure: { kind: 'http-error', message: 'HTTP 500: busy', upstreamStatus: 500 } },
};

export function closeArbitration(
  result: CloseArbitration['data']['result'],
  over: Partial<CloseArbitration['data']> = {},
): CloseArbitration {
  const ids = { sessionId: SESSION_ID, arbitrationId: 'arbitration-1', nextRoundId: 'round-2' };
  return { type: 'CloseArbitration', data: { ...ids, result, ...over } };
}

export const NEEDED: HumanInputRequested = {
  type: 'HumanInputRequested',
  data: { roundId: 'round-1', reason: 'no-proposals', detail: 'nobody gave a proposal' },
};

export function requestHuman(over: Partial<RequestHumanInput['data']> = {}): RequestHumanInput {
  return {
    type: 'RequestHumanInput',
    data: { sessionId: SESSION_ID, ...NEEDED.data, proposalsSeen: 0, ...over },
  };
}
