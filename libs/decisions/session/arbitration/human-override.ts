import * as refusal from '../session.rejections.js';
import { agreeing, withApproval } from '#lib/candidates';
import { isRejection, type JsonObject, ownMember, type Rejection, sameJson } from '#lib/kernel';
import { requiresArguments, transitionsOf } from '#lib/decisions/machines';
import { spent } from '../choice.js';
import { type Approval, isSameChoice } from '../people/approvals.js';
import { whyNotDeciding } from '../people/deciding-person.js';
import { executedTransition } from '../people/executed-transition.js';
import { approvalsNeeded } from '../people/needs-person.rules.js';
import type { SubmitArbitration } from '../session.commands.js';
import type {
  AlignmentScope,
  ApprovalGiven,
  HumanOverrideAccepted,
  OpenProposal,
  SessionEvent,
} from '../session.events.js';
import { currentRound, type Session } from '../session.state.js';
import { acceptedProposal } from './classify-submission.js';
import { refusedDecision } from './decided-round.js';

type Data = SubmitArbitration['data'];
type Decision = readonly SessionEvent[] | Rejection;

/** A person's choice of a transition, with the arguments and the reasoning for its execution. */
interface Choice {
  readonly transitionName: string;
  readonly toState: string;
  readonly reasoning: string;
  readonly metaJson?: JsonObject;
  /** The accepted proposal. */
  readonly proposal: OpenProposal | undefined;
}

/** Human primacy: in an open round a person who may decide it always wins, or several people if it needs them. */
export function override(
  data: Data,
  session: Session,
  { transitionName, toState }: { readonly transitionName: string; readonly toState: string },
): Decision {
  const proposal = acceptedProposal(data, session);
  const { reasoning = proposal?.reasoning ?? '', metaJson = proposal?.metaJson } = data;
  const refused =
    whyNotDeciding(data, session) ??
    (session.isExpired ? refusal.roundExpired() : undefined) ??
    shownOthers(data, session) ??
    refusedSilence(data, transitionName, session) ??
    refusedDecision(session, transitionName, { metaJson: metaJson ?? {} });
  if (refused) return refused;
  const said = { transitionName, toState, reasoning, ...(metaJson !== undefined && { metaJson }) };
  const choice = { ...said, proposal };
  return approvalsNeeded(session) > 1 ? withOthers(data, session, choice) : decided(data, session, choice);
}

/** Records the choice; the last of the needed equal choices decides. A repeated choice changes nothing. */
function withOthers(data: Data, session: Session, choice: Choice): Decision {
  const { by = '' } = data;
  const { transitionName, metaJson, proposal } = choice;
  const approval: Approval = {
    by,
    transitionName,
    ...(metaJson !== undefined && { metaJson }),
    ...(proposal && { proposalId: proposal.proposalId }),
  };
  const before = session.approvals.find((one) => one.by === by);
  if (before && isSameChoice(before, approval)) return [];
  const event = approvalGiven(data, session, choice);
  if (agreeing(withApproval(session.approvals, approval), isSameChoice) < approvalsNeeded(session))
    return [event];
  const events = decided(data, session, choice);
  return isRejection(events) ? events : [event, ...events];
}

function decided(data: Data, session: Session, choice: Choice): Decision {
  const { nextRoundId, alignment } = data;
  const { proposal, ...said } = choice;
  const scope = session.fork ? undefined : alignmentScope(session);
  const decision = { ...said, nextRoundId, decidedBy: roleOf(data), proposalId: proposal?.proposalId };
  const transition = executedTransition(session, decision, { type: 'person', person: data });
  if (isRejection(transition)) return transition;
  const accepted: HumanOverrideAccepted['data'] = {
    ...whoDecides(data, session),
    ...(data.by !== undefined && { by: data.by }),
    ...acceptedMembers(choice),
    ...said,
    fromState: session.currentState,
    ...(scope && { scope }),
    proposals: session.proposals,
    alignment,
    ...spent(data),
  };
  return [{ type: 'HumanOverrideAccepted', data: accepted }, transition];
}

function approvalGiven(data: Data, session: Session, choice: Choice): ApprovalGiven {
  const { proposal: _, ...said } = choice;
  const { by = '' } = data;
  return {
    type: 'ApprovalGiven',
    data: { ...whoDecides(data, session), by, ...acceptedMembers(choice), ...said },
  };
}

function whoDecides(data: Data, session: Session) {
  const { arbitrationId, specialistVersion = 0 } = data;
  const { roundId } = currentRound(session);
  return { arbitrationId, roundId, specialistId: roleOf(data), specialistVersion };
}

/** The human specialist as whom the person decides; else the person. */
function roleOf({ specialistId, by }: Data): string {
  return specialistId ?? by ?? '';
}

/** Proposals never change: other ids mean other proposals. */
function shownOthers({ shown }: Data, { proposals }: Session): Rejection | undefined {
  const isSame =
    shown?.length === proposals.length && proposals.every(({ proposalId }) => shown.includes(proposalId));
  return shown === undefined || isSame ? undefined : refusal.shownOthers();
}

/** The accepted proposal, and whether the person changed its arguments. Equal arguments are no edit. */
function acceptedMembers({ proposal, metaJson = {} }: Choice) {
  if (!proposal) return {};
  const { proposalId, metaJson: proposed = {} } = proposal;
  return { proposalId, ...(!sameJson(metaJson, proposed) && { edited: true as const }) };
}

/**
 * Refuses a decision without arguments for a transition that requires some, under any policy of the transition. Commands of 0.2,
 * which name no author, replay by the policy alone.
 */
function refusedSilence(
  data: Data,
  transitionName: string,
  { machine, currentState }: Session,
): Rejection | undefined {
  const { by, proposalId, metaJson } = data;
  if (by === undefined || proposalId !== undefined || metaJson !== undefined) return undefined;
  const transition = ownMember(transitionsOf(machine, currentState), transitionName);
  return requiresArguments(transition) ? refusal.argumentsNeeded(transitionName) : undefined;
}

/**
 * The scope in which decisions of the current round count: a state that declares specialists has separate alignment for them.
 * `undefined` if the machine came with the session.
 */
export function alignmentScope({
  machineName,
  machine,
  machineVersion,
  currentState,
}: Pick<Session, 'machineName' | 'machine' | 'machineVersion' | 'currentState'>): AlignmentScope | undefined {
  if (machineVersion === undefined) return undefined;
  const isOwn = ownMember(machine.states, currentState)?.specialists !== undefined;
  return { machineName, ...(isOwn && { state: currentState }) };
}
