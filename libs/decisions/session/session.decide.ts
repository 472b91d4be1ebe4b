import { excludesCreator } from '#lib/candidates';
import { isRejection, labelsOf, ownMember, present, type Rejection, whyKeyTaken } from '#lib/kernel';
import { isAtRest, machineHash, peoplePolicies, transitionsOf } from '#lib/decisions/machines';
import { closeArbitration } from './arbitration/close-arbitration.js';
import { submitArbitration } from './arbitration/submit-arbitration.js';
import { type Choice, mergeGiven } from './choice.js';
import type {
  CloseSession,
  CloseSolicitation,
  CreateSession,
  ExecuteTransition,
  RequestHumanInput,
  SessionCommand,
  SolicitProposal,
  StartClock,
  SubmitProposal,
} from './session.commands.js';
import { forkSession } from './fork/fork-session.js';
import { executedTransition } from './people/executed-transition.js';
import { refusedArguments } from './refused-arguments.js';
import type { ProposalSetAside, SessionEvent } from './session.events.js';
import * as refusal from './session.rejections.js';
import { waitClockId, withClocks } from './time/clocks.js';
import { takeTime } from './time/take-time.js';
import { currentRound, findRound, type Round, type Session, type SessionState } from './session.state.js';

type Decision = readonly SessionEvent[] | Rejection;

/** The id in events of decisions by an operator. No specialist can be registered under it. */
const OPERATOR = 'operator';

export function decideSession(command: SessionCommand, state: SessionState): Decision {
  const decided = decide(command, state);
  return isRejection(decided) ? decided : withClocks(decided, state);
}

/** Commands that a closed session accepts: the ends of open runs, and a repeated close. */
const STILL_TAKEN: readonly SessionCommand['type'][] = [
  'CloseArbitration',
  'CloseSession',
  'CloseSolicitation',
  'RequestHumanInput',
  'TakeTime',
];

function decide(command: SessionCommand, state: SessionState): Decision {
  if (command.type === 'CreateSession') return create(command, state);
  if (state === null) return refusal.unknownSession(command.data.sessionId);
  if (command.type === 'ForkSession') return forkSession(command, state);
  if (state.isClosed && !STILL_TAKEN.includes(command.type)) return refusal.sessionClosed(state.sessionId);
  switch (command.type) {
    case 'CloseSession':
      return closeSession(command, state);
    case 'SolicitProposal':
      return solicit(command, state);
    case 'SubmitProposal':
      return submit(command, state);
    case 'CloseSolicitation':
      return close(command, state);
    case 'SubmitArbitration':
      return submitArbitration(command, state);
    case 'CloseArbitration':
      return closeArbitration(command, state);
    case 'RequestHumanInput':
      return requestHumanInput(command, state);
    case 'TakeTime':
      return takeTime(command, state);
    case 'StartClock':
      return startClock(command, state);
    case 'ExecuteTransition':
      return execute(command, state);
  }
}

function create({ data }: CreateSession, state: SessionState): Decision {
  const { machine, machineVersion, metaJson, sessionId, roundId, specialistVersions, actorTokenHashes } =
    data;
  const { earlier, by } = data;
  if (state !== null) return existing(data, state);
  const isCreatorNeeded = peoplePolicies(machine).some(excludesCreator);
  if (isCreatorNeeded && by === undefined) return refusal.creatorUnknown(machine.machineName);
  return [
    {
      type: 'SessionCreated',
      data: {
        sessionId,
        machineName: machine.machineName,
        ...(machineVersion !== undefined && { machineVersion }),
        machineHash: machineHash(machine),
        initialState: machine.initialState,
        roundId,
        ...present({ by, metaJson }),
        ...labelsOf(data),
        ...(earlier && { earlier }),
        machine,
        ...present({ specialistVersions, actorTokenHashes }),
      },
    },
  ];
}

/** The id of a session with a key is derived from the key: a repeated body creates no other. */
function existing(asked: CreateSession['data'], session: Session): Decision {
  const { sessionId, key, askedVersion = session.machineVersion, metaJson } = asked;
  if (key === undefined) return refusal.sessionExists(sessionId);
  const body = { metaJson, machineVersion: askedVersion, ...labelsOf(asked) };
  const before = { metaJson: session.metaJson, machineVersion: session.machineVersion, ...session.labels };
  return whyKeyTaken('session', sessionId, body, before) ?? [];
}

function solicit({ data }: SolicitProposal, session: Session): Decision {
  const { solicitationId, specialistId, specialistVersion, by, given } = data;
  const round = roundOf(session, data.roundId);
  if (isRejection(round)) return round;
  const { roundId } = round;
  if (isOver(session, round)) return refusal.roundOver(roundId);
  if (isAtRest(session.machine, round.state)) return refusal.atRest(round.state);
  if (hasProposed(session, specialistId, roundId)) return refusal.duplicateProposal(specialistId);
  const open = session.solicitations.find(
    (one) => one.specialistId === specialistId && one.roundId === roundId,
  );
  if (open) return refusal.solicitationOpen(specialistId, open.solicitationId);
  if (data.unlessAsked && session.asked.includes(specialistId)) return refusal.alreadyAsked(specialistId);
  const author = by !== undefined && { by };
  const solicited = { solicitationId, roundId, specialistId, specialistVersion, ...author, given };
  return [{ type: 'ProposalSolicited', data: solicited }];
}

function submit({ data }: SubmitProposal, session: Session): Decision {
  const {
    sessionId: _id,
    proposalId,
    specialistId,
    specialistVersion,
    isHuman,
    by,
    transitionName,
    roundId: _round,
    ...given
  } = data;
  const round = roundOf(session, data.roundId);
  if (isRejection(round)) return round;
  if (isAtRest(session.machine, round.state)) return refusal.atRest(round.state);
  const offered = offeredTransition(session, round, transitionName);
  if (isRejection(offered)) return offered;
  const choice = mergeGiven({ transitionName, toState: offered.target, reasoning: '' }, given);
  const { roundId } = round;
  const author = by !== undefined && { by };
  const proposal = { proposalId, roundId, specialistId, specialistVersion, isHuman, ...author, ...choice };
  if (isOver(session, round)) return [{ type: 'ProposalSetAside', data: { ...proposal, reason: 'late' } }];
  if (hasProposed(session, specialistId, roundId)) return refusal.duplicateProposal(specialistId);
  const refused = refusedArguments(transitionName, offered, given.metaJson);
  return refused ?? [{ type: 'ProposalSubmitted', data: proposal }];
}

/** A second end of a closed solicitation gives no event: recovery may deliver it twice. */
function close({ data }: CloseSolicitation, session: Session): Decision {
  const { solicitationId, proposalId, result } = data;
  const open = session.solicitations.find((one) => one.solicitationId === solicitationId);
  if (!open) return [];
  const { roundId, specialistId, specialistVersion, given } = open;
  if ('failure' in result) {
    return [{ type: 'ProposalFailed', data: { solicitationId, roundId, specialistId, ...result } }];
  }
  const choice = mergeGiven(result.choice, given);
  const proposer = { specialistId, specialistVersion, isHuman: false };
  const proposal = { proposalId, roundId, ...proposer, ...choice, solicitationId };
  const reason = reasonToSetAside(session, roundId, specialistId, choice);
  const refused = !reason && given.metaJson !== undefined && refusedChoice(session, choice);
  if (refused) {
    const failure = { kind: 'invalid-arguments', message: refused.message } as const;
    return [{ type: 'ProposalFailed', data: { solicitationId, roundId, specialistId, failure } }];
  }
  if (reason) return [{ type: 'ProposalSetAside', data: { ...proposal, reason } }];
  return [{ type: 'ProposalSubmitted', data: proposal }];
}

function reasonToSetAside(
  session: Session,
  roundId: string,
  specialistId: string,
  choice: Choice,
): ProposalSetAside['data']['reason'] | undefined {
  const round = currentRound(session);
  if (session.isClosed || round.roundId !== roundId) return 'late';
  if (hasProposed(session, specialistId, roundId)) return 'duplicate';
  const offered = offeredTransition(session, round, choice.transitionName);
  return isRejection(offered) || offered.target !== choice.toState ? 'invalid' : undefined;
}

/** The caller's arguments in place of a proposer's: the ladder has checked only the proposer's own. */
function refusedChoice(session: Session, { transitionName, metaJson }: Choice): Rejection | undefined {
  const offered = offeredTransition(session, currentRound(session), transitionName);
  return isRejection(offered) ? undefined : refusedArguments(transitionName, offered, metaJson);
}

function execute({ data }: ExecuteTransition, session: Session): Decision {
  const { transitionName, toState, nextRoundId, proposalId, by } = data;
  const round = roundOf(session, data.roundId);
  if (isRejection(round)) return round;
  if (isOver(session, round)) return refusal.roundOver(round.roundId);
  const offered = offeredTransition(session, round, transitionName);
  if (isRejection(offered)) return offered;
  if (offered.target !== toState) return refusal.stateMismatch(transitionName, toState, offered.target);
  const proposal = session.proposals.find(
    (one) => one.proposalId === proposalId && one.transitionName === transitionName,
  );
  if (proposalId !== undefined && !proposal) return refusal.proposalNotOpen(proposalId);
  const metaJson = data.metaJson ?? proposal?.metaJson;
  const refused = refusedArguments(transitionName, offered, metaJson);
  if (refused) return refused;
  const reasoning = data.reasoning ?? proposal?.reasoning ?? '';
  const decision = { nextRoundId, transitionName, toState, reasoning, metaJson, proposalId };
  const authority = { type: 'operator', by } as const;
  const executed = executedTransition(session, { ...decision, decidedBy: OPERATOR }, authority);
  return isRejection(executed) ? executed : [executed];
}

/** Recorded once for a round. Void if the round is over, or if a new proposal or an open call may still decide it. */
function requestHumanInput({ data }: RequestHumanInput, session: Session): Decision {
  const { roundId, proposalsSeen, reason, detail } = data;
  const isNews =
    roundId === currentRound(session).roundId &&
    !session.isClosed &&
    !session.awaitsHuman &&
    !isAtRest(session.machine, session.currentState) &&
    session.proposals.length === proposalsSeen &&
    [...session.solicitations, ...session.arbitrations].every((open) => open.roundId !== roundId);
  return isNews ? [{ type: 'HumanInputRequested', data: { roundId, reason, detail } }] : [];
}

/** A repeated close gives no event. */
function closeSession({ data: { by, reason } }: CloseSession, session: Session): Decision {
  const { sessionId, machine, currentState, isClosed } = session;
  if (isClosed) return [];
  if (isAtRest(machine, currentState)) return refusal.sessionDone(sessionId);
  const { roundId } = currentRound(session);
  const endsSolicitations = session.solicitations.map(({ solicitationId }) => solicitationId);
  const endsArbitrations = session.arbitrations.map(({ arbitrationId }) => arbitrationId);
  const data = {
    roundId,
    ...(reason !== undefined && { reason }),
    by,
    ...(endsSolicitations.length > 0 && { endsSolicitations }),
    ...(endsArbitrations.length > 0 && { endsArbitrations }),
  };
  return [{ type: 'SessionClosed', data }];
}

/** Void while a clock of the wait runs. */
function startClock({ data: { roundId } }: StartClock, session: Session): Decision {
  const { waits, clocks, waitClocks } = session;
  const isOfWait = roundId === currentRound(session).roundId && waits > 0 && !session.isExpired;
  if (!isOfWait || clocks.wait !== undefined) return [];
  return [
    { type: 'ClockStarted', data: { roundId, clockId: waitClockId(session, waits, waitClocks.length) } },
  ];
}

function roundOf(session: Session, roundId: string | undefined): Round | Rejection {
  if (roundId === undefined) return currentRound(session);
  return findRound(session, roundId) ?? refusal.unknownRound(roundId);
}

/** Includes transitions out of the goal: a person or an operator may execute them. */
function offeredTransition(session: Session, round: Round, name: string) {
  const offers = transitionsOf(session.machine, round.state);
  if (Object.keys(offers).length === 0) return refusal.atRest(round.state);
  return ownMember(offers, name) ?? refusal.transitionNotOffered(name, round.state, Object.keys(offers));
}

function isOver(session: Session, round: Round): boolean {
  return round.roundId !== currentRound(session).roundId;
}

/** The state holds the current round's proposals only: a proposal for a past round is set aside for every proposer. */
function hasProposed(session: Session, specialistId: string, roundId: string): boolean {
  if (roundId !== currentRound(session).roundId) return false;
  return session.proposals.some((proposal) => proposal.specialistId === specialistId);
}
