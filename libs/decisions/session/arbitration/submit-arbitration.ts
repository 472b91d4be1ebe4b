import { type JsonObject, ownMember, type Rejection, sameJson } from '#lib/kernel';
import { transitionsOf } from '#lib/decisions/machines';
import { callerGiven, spent } from '../choice.js';
import { builtInArbiter } from '../consensus/built-in-arbiters.js';
import { consensusBasis, sameBasis } from '../consensus/consensus-basis.js';
import type { ConsensusBasis } from '../consensus/consensus-question.js';
import type { SubmitArbitration } from '../session.commands.js';
import type { SessionEvent } from '../session.events.js';
import * as refusal from '../session.rejections.js';
import { currentRound, findRound, type Session } from '../session.state.js';
import type { OpenProposal } from '../session.events.js';
import { alignmentScope } from './alignment-scope.js';
import { acceptedProposal, classifySubmission } from './classify-submission.js';
import { decidedRound, refusedDecision } from './decided-round.js';

type Data = SubmitArbitration['data'];
type Decision = readonly SessionEvent[] | Rejection;

/** An arbitration that a guard refuses gives no events: `arbitrationResult` says why. */
export function submitArbitration({ data }: SubmitArbitration, session: Session): Decision {
  if (data.roundId !== undefined && !findRound(session, data.roundId))
    return refusal.unknownRound(data.roundId);
  const submission = classifySubmission(data, session);
  if (submission.type === 'humanOverride') return override(data, session, submission);
  if (submission.type === 'invalidTransition') return notOffered(data, session);
  if (submission.type !== 'evaluate') return [];
  const { arbiter } = data;
  if (!arbiter) return refusal.noArbiter(session.machineName, session.currentState);
  const basis = consensusBasis(session, arbiter, data.alignment, data.quorum);
  return builtInArbiter(arbiter) ? judge(data, session, basis) : request(data, session, basis);
}

/** A built-in arbiter judges within the command. */
function judge(data: Data, session: Session, basis: ConsensusBasis): Decision {
  const { arbitrationId, nextRoundId } = data;
  const verdict = builtInArbiter(basis.arbiter)?.(basis);
  const winner = session.proposals.find(({ proposalId }) => proposalId === verdict?.winningProposalId);
  const given = callerGiven(data);
  if (verdict && winner) {
    const refused = refusedDecision(session, winner.transitionName, given);
    return refused ?? decidedRound(session, winner, verdict, { arbitrationId, nextRoundId, basis, given });
  }
  if (!verdict || isJudged(session, basis)) return [];
  const { reasoning, margin } = verdict;
  const measured = margin !== undefined && { margin };
  const { roundId } = currentRound(session);
  return [
    {
      type: 'ConsensusNotReached',
      data: { arbitrationId, roundId, reasoning, ...measured, ...spent(given), ...basis },
    },
  ];
}

/** Any other arbiter is asked by the arbitration workflow. */
function request(data: Data, session: Session, basis: ConsensusBasis): Decision {
  const { arbitrationId } = data;
  const { roundId } = currentRound(session);
  const open = session.arbitrations.find((one) => one.roundId === roundId);
  if (open) return refusal.arbitrationOpen(open.arbitrationId);
  if (data.unlessJudged && isJudged(session, basis)) return [];
  const given = callerGiven(data);
  return [{ type: 'ArbitrationRequested', data: { arbitrationId, roundId, ...basis, given } }];
}

function isJudged({ judgement }: Session, basis: ConsensusBasis): boolean {
  return judgement !== undefined && sameBasis(judgement.basis, basis);
}

/** Human primacy: in an open round it always wins. */
function override(
  data: Data,
  session: Session,
  { transitionName, toState }: { readonly transitionName: string; readonly toState: string },
): Decision {
  const { arbitrationId, nextRoundId, alignment, specialistId = '', specialistVersion = 0, by } = data;
  const proposal = acceptedProposal(data, session);
  const { reasoning = proposal?.reasoning ?? '', metaJson = proposal?.metaJson } = data;
  const refused =
    refusedSilence(data, transitionName, session) ??
    refusedDecision(session, transitionName, { metaJson: metaJson ?? {} });
  if (refused) return refused;
  const { roundId } = currentRound(session);
  const author = by !== undefined && { by };
  const scope = alignmentScope(session);
  const { currentState: fromState } = session;
  const said = { transitionName, toState, reasoning, ...(metaJson !== undefined && { metaJson }), fromState };
  return [
    {
      type: 'HumanOverrideAccepted',
      data: {
        arbitrationId,
        roundId,
        specialistId,
        specialistVersion,
        ...author,
        ...(proposal && accepted(proposal, metaJson)),
        ...said,
        ...(scope && { scope }),
        proposals: session.proposals,
        alignment,
        ...spent(data),
      },
    },
    {
      type: 'TransitionExecuted',
      data: {
        roundId,
        nextRoundId,
        ...said,
        isHuman: true,
        decidedBy: specialistId,
        ...author,
        ...(proposal && { proposalId: proposal.proposalId }),
      },
    },
  ];
}

/** The accepted proposal, and whether the person changed its arguments. Equal arguments are no edit. */
function accepted({ proposalId, metaJson: proposed = {} }: OpenProposal, metaJson: JsonObject = {}) {
  return { proposalId, ...(!sameJson(metaJson, proposed) && { edited: true as const }) };
}

function notOffered(
  { proposalId, transitionName = '' }: Data,
  { machine, currentState }: Session,
): Rejection {
  if (proposalId !== undefined) return refusal.proposalChanged(proposalId);
  return refusal.unknownTransition(
    transitionName,
    currentState,
    Object.keys(transitionsOf(machine, currentState)),
  );
}

/**
 * A decision without arguments for a transition that requires some, whatever its policy. Commands of 0.2, which name no author, are
 * derived by the policy alone.
 */
function refusedSilence(
  data: Data,
  transitionName: string,
  { machine, currentState }: Session,
): Rejection | undefined {
  const { by, proposalId, metaJson } = data;
  if (by === undefined || proposalId !== undefined || metaJson !== undefined) return undefined;
  const required = ownMember(transitionsOf(machine, currentState), transitionName)?.parameters?.['required'];
  return Array.isArray(required) && required.length > 0 ? refusal.argumentsNeeded(transitionName) : undefined;
}
