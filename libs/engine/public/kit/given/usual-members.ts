import { ownMember, RedialError } from '#lib/kernel';
import { transitionsOf } from '#lib/decisions/machines';
import { participantsIn } from '#lib/decisions/driving/core';
import type { MachineSpecialist } from '#lib/read-models';
import { consensusBasis, defaultArbiter, type Session, type SessionEvent } from '#lib/decisions/session';

/** The history of a test has an event that no session of its machine can have. */
export class ImpossibleHistory extends RedialError {}

/** The members from which others are derived. */
export interface Stated {
  readonly specialistId?: string;
  readonly transitionName?: string;
  readonly toState?: string;
}

/** The session before a command or an event, its specialists, and the revision of the next event. */
export interface Place {
  readonly session: Session;
  readonly specialists: readonly MachineSpecialist[];
  readonly revision: number;
}

type Usual = (stated: Stated, place: Place) => object;

const failure = { kind: 'timeout', message: 'no answer' };

/** Derives members of an event from those that a test states, or gives them a value that does not matter. */
export const usualMembers: { readonly [Type in SessionEvent['type']]?: Usual } = {
  ProposalSolicited: (_, { revision }) => ({
    solicitationId: `solicitation-${revision}`,
    specialistVersion: 1,
    given: {},
  }),
  ProposalSubmitted: proposal,
  ProposalSetAside: (stated, place) => ({ ...proposal(stated, place), reason: 'late' }),
  ProposalFailed: (stated, { session }) => ({ ...solicitation(stated, session), failure }),
  ArbitrationRequested: (_, place) => ({ ...arbitration(place), ...basis(place), given: {} }),
  ConsensusReached: (_, place) => ({
    ...arbitration(place),
    ...basis(place),
    winningProposalId: place.session.proposals[0]?.proposalId,
    reasoning: '',
  }),
  ConsensusNotReached: (_, place) => ({ ...arbitration(place), ...basis(place), reasoning: '' }),
  VerdictSetAside: (_, place) => ({ ...arbitration(place), reason: 'late' }),
  ArbitrationFailed: (_, place) => ({ ...arbitration(place), failure }),
  HumanInputRequested: () => ({ reason: 'no-consensus', detail: '' }),
  ApprovalGiven: person,
  HumanOverrideAccepted: (stated, place) => ({
    ...person(stated, place),
    fromState: place.session.currentState,
    proposals: place.session.proposals,
    alignment: basis(place).alignment,
  }),
  TransitionExecuted: (stated, { session }) => ({
    nextRoundId: `round-${session.rounds.length + 1}`,
    fromState: session.currentState,
    isHuman: false,
    decidedBy: 'operator',
    ...transition(stated, session),
  }),
  SessionClosed: () => ({ by: 'operator' }),
};

function proposal(stated: Stated, { session, specialists, revision }: Place): object {
  const declared = specialists.find(({ specialistId }) => specialistId === stated.specialistId);
  return {
    ...solicitation(stated, session),
    proposalId: `proposal-${revision}`,
    specialistVersion: 1,
    isHuman: declared?.isHuman ?? false,
    ...transition(stated, session),
  };
}

function person(stated: Stated, place: Place): object {
  const { specialistId: by } = stated;
  return { ...arbitration(place), specialistVersion: 1, by, ...transition(stated, place.session) };
}

/** The open solicitation that the event ends, if there is one. */
function solicitation({ specialistId }: Stated, { solicitations }: Session): object {
  const open = solicitations.find((one) => one.specialistId === specialistId);
  return open ? { solicitationId: open.solicitationId } : {};
}

function arbitration({ session, revision }: Place): object {
  return { arbitrationId: session.arbitrations[0]?.arbitrationId ?? `arbitration-${revision}` };
}

function basis({ session, specialists }: Place) {
  const { arbiter = defaultArbiter, alignment } = participantsIn(session, specialists, []);
  return consensusBasis(session, arbiter, alignment);
}

/** @throws ImpossibleHistory */
function transition({ transitionName = '', toState }: Stated, session: Session): object {
  const offers = transitionsOf(session.machine, session.currentState);
  const target = toState ?? ownMember(offers, transitionName)?.target;
  if (target !== undefined) return { toState: target, reasoning: '' };
  throw new ImpossibleHistory(
    `transition "${transitionName}"`,
    `state ${session.currentState} does not offer it`,
    `Name one of ${Object.keys(offers).join(', ')}, or state toState`,
  );
}
