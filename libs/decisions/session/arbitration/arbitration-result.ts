import type { JsonObject } from '#lib/kernel';
import { spendingOf } from '../choice.js';
import type { Spending } from '../proposal.members.js';
import { quorumShortfall } from '../consensus/quorum.js';
import type { SubmitArbitration } from '../session.commands.js';
import { approvalsNeeded } from '../people/needs-person.rules.js';
import type { ConsensusNotReached, SessionEvent, TransitionExecuted } from '../session.events.js';
import { currentRound, type Session } from '../session.state.js';
import { whySetAside } from './set-aside.js';
import { classifySubmission } from './classify-submission.js';

/** The result of an arbitration, for its caller. */
export interface ArbitrationResult extends Spending {
  readonly arbitrationId: string;
  readonly sessionId: string;
  /** The round of the submission. */
  readonly roundId: string;
  readonly specialistId?: string;
  /** That round is not the current one. */
  readonly stale: boolean;
  /** The submission was accepted. It may still have ended without consensus. */
  readonly guardsPass: boolean;
  readonly guardReason: string;
  readonly winningProposalId?: string;
  readonly transitionName?: string;
  readonly toState?: string;
  readonly reasoning?: string;
  /** It executed a transition. */
  readonly executed: boolean;
  readonly isHuman: boolean;
  /** A specialist or "default", if a transition was executed. */
  readonly decidedBy?: string;
  readonly metaJson?: JsonObject;
}

/**
 * The result of a submitted arbitration.
 * @param session before the events of the command; if there are none, the present one
 * @param events of the arbitration, with later ones by its workflow; none if a guard refused it or it changed nothing
 */
export function arbitrationResult(
  data: SubmitArbitration['data'],
  session: Session,
  events: readonly SessionEvent[],
): ArbitrationResult {
  const { arbitrationId, sessionId, specialistId } = data;
  const roundId = events[0]?.data.roundId ?? data.roundId ?? currentRound(session).roundId;
  const who = { arbitrationId, sessionId, roundId, ...(specialistId !== undefined && { specialistId }) };
  return { ...who, ...outcomeOf(data, session, events), ...spendingOf(...events.map(arbitrationSpending)) };
}

type Outcome = Omit<ArbitrationResult, 'arbitrationId' | 'sessionId' | 'roundId' | 'specialistId'>;

function outcomeOf(
  data: SubmitArbitration['data'],
  session: Session,
  events: readonly SessionEvent[],
): Outcome {
  const transition = events.find((event): event is TransitionExecuted => event.type === 'TransitionExecuted');
  if (transition) return executed(transition, events);
  if (events.some(({ type }) => type === 'ApprovalGiven')) return approved('is recorded', session);
  const [unmet] = events.flatMap(unmetReason);
  if (unmet) return unmet;
  const guard = heldBack(data, session);
  return guard ?? undecided(session, events);
}

/** An approval that does not decide the round, also a repeated one. */
function approved(what: string, session: Session): Outcome {
  const reason = `The approval ${what}: the round needs ${approvalsNeeded(session)} equal ones`;
  return { ...held(true, reason), isHuman: true };
}

/** The arbiter was not asked again on the same basis, or has not answered yet. */
function undecided({ judgement }: Session, events: readonly SessionEvent[]): Outcome {
  if (events.some(({ type }) => type === 'ArbitrationRequested'))
    return held(true, 'The arbiter is being asked');
  if (!judgement) return held(true, 'No consensus');
  const { outcome, reasoning } = judgement;
  if (outcome === 'needs-person') return held(true, `A person decides: ${reasoning}`);
  return outcome === 'failed'
    ? held(false, `The arbiter gave no usable verdict: ${reasoning}`)
    : held(true, `No consensus: ${reasoning}`);
}

function executed({ data }: TransitionExecuted, events: readonly SessionEvent[]): Outcome {
  const { transitionName, toState, reasoning, metaJson, isHuman, decidedBy, proposalId } = data;
  const consensus = events.find((event) => event.type === 'ConsensusReached');
  const guardReason = isHuman
    ? 'Human override accepted'
    : `Consensus reached: ${consensus?.data.reasoning ?? ''}`;
  return {
    stale: false,
    guardsPass: true,
    guardReason,
    ...(proposalId !== undefined && { winningProposalId: proposalId }),
    transitionName,
    toState,
    reasoning,
    executed: true,
    isHuman,
    decidedBy,
    ...(metaJson !== undefined && { metaJson }),
  };
}

/** The reason why the arbiter did not decide. */
function unmetReason(event: SessionEvent): Outcome[] {
  switch (event.type) {
    case 'ConsensusNotReached':
      return [held(true, unmet(event.data))];
    case 'ArbitrationFailed':
      return [held(false, `The arbiter gave no usable verdict: ${event.data.failure.message}`)];
    case 'VerdictSetAside':
      return [
        event.data.reason === 'late'
          ? { ...held(false, STALE), stale: true }
          : held(false, `The ${whySetAside(event.data.reason)}`),
      ];
    default:
      return [];
  }
}

function unmet({ leftToPeople, reasoning }: ConsensusNotReached['data']): string {
  return leftToPeople === undefined ? `No consensus: ${reasoning}` : `A person decides: ${reasoning}`;
}

const STALE = 'The round is not the current one: it was decided already';

function heldBack(data: SubmitArbitration['data'], session: Session): Outcome | undefined {
  const submission = classifySubmission(data, session);
  switch (submission.type) {
    case 'stale':
      return { ...held(false, STALE), stale: true };
    // A force without events: the person has given this approval before.
    case 'humanOverride':
      return approved('was recorded before', session);
    case 'notHuman':
      return held(false, 'Only human specialists can force arbitration');
    case 'noProposals':
      return held(false, 'No proposals submitted in this round');
    case 'noQuorum':
      return held(false, `No quorum: ${quorumShortfall(submission) ?? ''}`);
    default:
      return undefined;
  }
}

function held(guardsPass: boolean, guardReason: string): Outcome {
  return { stale: false, guardsPass, guardReason, executed: false, isHuman: false };
}

/** The cost of an arbitration, from the event that ends it; empty for other events. */
export function arbitrationSpending(event: SessionEvent): Spending {
  switch (event.type) {
    case 'ConsensusReached':
    case 'ConsensusNotReached':
    case 'HumanOverrideAccepted':
      return event.data.spent ?? {};
    case 'VerdictSetAside':
      return event.data.verdict;
    default:
      return {};
  }
}
