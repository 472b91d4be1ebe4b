import type { Place } from './usual-members.js';
import { isRejection, type Rejection } from '#lib/kernel';
import {
  arbiterRef,
  checkCallerInput,
  type CreateSessionInput,
  humanOfPerson,
  notAProposer,
  notAsked,
  participantsIn,
  personOfHuman,
  type SubmitArbitrationInput,
  type SubmitProposalInput,
  whyNotActing,
} from '#lib/decisions/driving';
import {
  currentRound,
  findRound,
  type CloseSession,
  type CreateSession,
  type ExecuteTransition,
  type Session,
  type SessionCommand,
  sessionRejections,
  type SubmitArbitration,
} from '#lib/decisions/session';
import { unknownSpecialist } from '#lib/decisions/specialists';
import type { Setting } from './session-history.js';

interface Operations {
  readonly createSession: Omit<CreateSessionInput, 'machine'>;
  readonly submitProposal: SubmitProposalInput;
  readonly submitArbitration: SubmitArbitrationInput;
  readonly executeTransition: Omit<ExecuteTransition['data'], 'nextRoundId' | 'by'>;
  readonly closeSession: Omit<CloseSession['data'], 'by'>;
}

/** A command of a session: the id of its operation, and its input. */
export type SessionOperation = {
  [Id in keyof Operations]: { readonly type: Id; readonly sessionId?: string } & Omit<
    Operations[Id],
    'sessionId'
  >;
}[keyof Operations];

type OperationInput<Id extends keyof Operations> = Extract<SessionOperation, { readonly type: Id }> & {
  readonly sessionId: string;
};

const OPERATOR = 'operator';

/** The command that an operation sends, as the engine makes it. @throws RejectionError if the input is malformed */
export function sessionCommand(
  operation: SessionOperation & { readonly sessionId: string },
  session: Session | null,
  setting: Setting,
  revision: number,
): SessionCommand | Rejection {
  if (operation.type === 'createSession') return creating(operation, setting);
  if (!session) return sessionRejections.unknownSession(operation.sessionId);
  const scope = { session, specialists: setting.specialists, revision };
  switch (operation.type) {
    case 'submitProposal':
      return proposing(operation, scope);
    case 'submitArbitration':
      return arbitrating(operation, scope);
    case 'executeTransition':
      return executing(operation, scope);
    case 'closeSession': {
      const { type: _, ...data } = operation;
      return { type: 'CloseSession', data: { ...data, by: OPERATOR } };
    }
  }
}

function creating(
  { type: _, machineName: _name, machineVersion: askedVersion, ...input }: OperationInput<'createSession'>,
  { machine, specialistVersions }: Setting,
): CreateSession {
  checkCallerInput(input);
  const version = { machineVersion: 1, ...(askedVersion !== undefined && { askedVersion }) };
  return {
    type: 'CreateSession',
    data: { roundId: 'round-1', machine, ...version, specialistVersions, ...input },
  };
}

function proposing(
  { type: _, ...input }: OperationInput<'submitProposal'>,
  scope: Place,
): SessionCommand | Rejection {
  checkCallerInput(input);
  const { session, specialists, revision } = scope;
  const { sessionId, specialistId, transitionName, roundId, ...given } = input;
  const registered = specialists.find((one) => one.specialistId === specialistId);
  const actor = registered ?? {
    specialistId,
    role: 'proposer',
    isHuman: false,
    enabled: true,
    standsAlone: true,
  };
  const refusal = whyNotActing(actor, { ...session, currentState: stateOf(session, roundId) });
  if (refusal) return refusal;
  if (actor.role === 'arbiter') return notAProposer(specialistId);
  const { isHuman } = actor;
  const round = roundId !== undefined && { roundId };
  const asked = { sessionId, specialistId, specialistVersion: 1, ...round };
  if (transitionName !== undefined) {
    const author = isHuman && registered && { by: personOfHuman(registered, session) };
    const data = {
      ...asked,
      ...given,
      transitionName,
      isHuman,
      ...author,
      proposalId: `proposal-${revision}`,
    };
    return { type: 'SubmitProposal', data };
  }
  if (isHuman) return notAsked(specialistId);
  return { type: 'SolicitProposal', data: { ...asked, given, solicitationId: `solicitation-${revision}` } };
}

function stateOf(session: Session, roundId: string | undefined): string {
  const round = roundId === undefined ? undefined : findRound(session, roundId);
  return (round ?? currentRound(session)).state;
}

function arbitrating(
  { type: _, actAs, ...input }: OperationInput<'submitArbitration'>,
  scope: Place,
): SessionCommand | Rejection {
  checkCallerInput(input);
  const { session, specialists, revision } = scope;
  const isForced = (input.transitionName ?? input.proposalId) !== undefined;
  const caller = isForced ? person(input.specialistId, actAs, scope) : judge(input.specialistId, scope);
  if (isRejection(caller)) return caller;
  const { alignment, arbiter } = participantsIn(session, specialists, []);
  const ids = { arbitrationId: `arbitration-${revision}`, ...nextRound(session) };
  return {
    type: 'SubmitArbitration',
    data: { ...ids, ...input, ...(arbiter && { arbiter }), ...caller, alignment },
  };
}

type Caller = Pick<
  SubmitArbitration['data'],
  'isHuman' | 'by' | 'specialistId' | 'specialistVersion' | 'arbiter'
>;

/** The person who forces a transition. */
function person(
  specialistId: string | undefined,
  actAs: string | undefined,
  { session, specialists }: Place,
): Caller | Rejection {
  if (specialistId === undefined) {
    if (actAs === undefined) return { isHuman: false };
    const role = humanOfPerson(actAs, session, specialists);
    return {
      isHuman: true,
      by: actAs,
      ...(role && { specialistId: role.specialistId, specialistVersion: 1 }),
    };
  }
  const declared = specialists.find((one) => one.specialistId === specialistId);
  if (!declared) return { isHuman: true, by: actAs ?? specialistId, specialistVersion: 1 };
  const refusal = whyNotActing(declared, session);
  if (refusal) return refusal;
  const { isHuman } = declared;
  return { isHuman, specialistVersion: 1, ...(isHuman && { by: personOfHuman(declared, session) }) };
}

/** The named arbiter, if there is one. */
function judge(specialistId: string | undefined, { session, specialists }: Place): Caller | Rejection {
  if (specialistId === undefined) return { isHuman: false };
  const declared = specialists.find((one) => one.specialistId === specialistId);
  if (!declared) return unknownSpecialist(specialistId);
  const refusal = whyNotActing(declared, session);
  if (refusal) return refusal;
  const { role, isHuman } = declared;
  return { isHuman, specialistVersion: 1, ...(role === 'arbiter' && { arbiter: arbiterRef(declared) }) };
}

function executing(
  { type: _, ...input }: OperationInput<'executeTransition'>,
  { session }: Place,
): ExecuteTransition {
  checkCallerInput(input);
  return { type: 'ExecuteTransition', data: { ...nextRound(session), by: OPERATOR, ...input } };
}

function nextRound({ rounds }: Session) {
  return { nextRoundId: `round-${rounds.length + 1}` };
}
