import { notAPerson } from '#lib/candidates';
import type { Rejection } from '#lib/kernel';
import { peopleOf, transitionsOf } from '#lib/decisions/machines';
import { callerGiven, spent } from '../choice.js';
import { builtInArbiter } from '../consensus/built-in-arbiters.js';
import { consensusBasis, sameBasis } from '../consensus/consensus-basis.js';
import type { ConsensusBasis } from '../consensus/consensus-question.js';
import type { SubmitArbitration } from '../session.commands.js';
import type { SessionEvent } from '../session.events.js';
import * as refusal from '../session.rejections.js';
import { currentRound, findRound, type Session } from '../session.state.js';
import { approvalsNeeded } from '../people/needs-person.rules.js';
import { classifySubmission } from './classify-submission.js';
import { decidedRound, refusedDecision } from './decided-round.js';
import { override } from './human-override.js';

type Data = SubmitArbitration['data'];
type Decision = readonly SessionEvent[] | Rejection;

/** An arbitration that a guard refuses gives no events: `arbitrationResult` has the reason. */
export function submitArbitration({ data }: SubmitArbitration, session: Session): Decision {
  if (data.roundId !== undefined && !findRound(session, data.roundId))
    return refusal.unknownRound(data.roundId);
  const submission = classifySubmission(data, session);
  if (submission.type === 'humanOverride') return override(data, session, submission);
  if (submission.type === 'invalidTransition') return notOffered(data, session);
  const isForPeople = peopleOf(session.machine, session.currentState) !== undefined;
  if (submission.type === 'notHuman' && isForPeople) return notAPerson();
  if (submission.type !== 'evaluate') return [];
  // A new proposal may be judged.
  if (session.isExpired && session.awaitsHuman) return refusal.roundExpired();
  if (approvalsNeeded(session) > 1) return refusal.needsPerson(session.currentState);
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
    if (session.judgement?.outcome === 'needs-person' && isJudged(session, basis)) return [];
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
