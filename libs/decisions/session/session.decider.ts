import { type Decider, type Members, recordedBesides, type Rejection } from '#lib/kernel';
import type { SessionCommand } from './session.commands.js';
import { decideSession } from './session.decide.js';
import type { ProposalSetAside, ProposalSubmitted, SessionEvent } from './session.events.js';
import { evolveSession } from './session.evolve.js';
import { decidedByPeople, waitsForPerson } from './session.rejections.js';
import { currentRound, type SessionState } from './session.state.js';

/** The events of a session's commands, and the command of an event. */
export const recordedCommand = recordedBesides<SessionCommand, SessionEvent>(
  'sessionId',
  (type, [event]) => event && heldIn(type, event),
);

/** The rules of a session. */
export const sessionDecider: Decider<SessionState, SessionCommand, SessionEvent> = {
  initialState: null,
  complete: withRound,
  decide: decideSession,
  evolve: evolveSession,
  ...recordedCommand,
};

/**
 * The same rules for callers that leave decisions to people: they may not force a decision, and in a round that waits for a
 * person they may neither propose, nor request a proposal or an arbitration. A command repeated under its key gets its first
 * answer.
 */
export const sessionDeciderLeavingToPeople: typeof sessionDecider = {
  ...sessionDecider,
  decide: (command, state) => leftToPeople(command, state) ?? decideSession(command, state),
};

function leftToPeople({ type, data }: SessionCommand, state: SessionState): Rejection | undefined {
  if (type !== 'SolicitProposal' && type !== 'SubmitProposal' && type !== 'SubmitArbitration')
    return undefined;
  if (type === 'SubmitArbitration' && (data.transitionName ?? data.proposalId) !== undefined)
    return decidedByPeople(data.sessionId);
  if (!state?.awaitsHuman || data.roundId !== currentRound(state).roundId) return undefined;
  return waitsForPerson(state.sessionId);
}

/** A command without a round is for the round that is current at its first attempt. */
function withRound(command: SessionCommand, state: SessionState): SessionCommand {
  if (state === null || ('roundId' in command.data && command.data.roundId !== undefined)) return command;
  const { roundId } = currentRound(state);
  switch (command.type) {
    case 'SolicitProposal':
      return { ...command, data: { ...command.data, roundId } };
    case 'SubmitProposal':
      return { ...command, data: { ...command.data, roundId } };
    case 'SubmitArbitration':
      return { ...command, data: { ...command.data, roundId } };
    case 'ExecuteTransition':
      return { ...command, data: { ...command.data, roundId } };
    default:
      return command;
  }
}

/** The members of a command that the first of its events holds. */
function heldIn(type: SessionCommand['type'], event: SessionEvent): Members | undefined {
  switch (event.type) {
    case 'SessionCreated': {
      const { machineName: _name, machineHash: _hash, initialState: _state, ...data } = event.data;
      return data;
    }
    case 'ProposalSolicited':
      return event.data;
    case 'ProposalSubmitted':
    case 'ProposalSetAside':
      return type === 'CloseSolicitation' ? closing(event) : stated(event);
    case 'ProposalFailed': {
      const { solicitationId, failure, costUSD } = event.data;
      return { solicitationId, result: { failure, ...(costUSD !== undefined && { costUSD }) } };
    }
    case 'ArbitrationRequested':
    case 'ConsensusReached':
    case 'ConsensusNotReached': {
      if (type !== 'SubmitArbitration') return undefined;
      const { arbitrationId, roundId, arbiter, alignment } = event.data;
      return { arbitrationId, roundId, arbiter, alignment };
    }
    case 'ApprovalGiven': {
      const { arbitrationId, roundId, specialistId, specialistVersion, by } = event.data;
      return { arbitrationId, roundId, specialistId, specialistVersion, by };
    }
    case 'HumanOverrideAccepted': {
      const { arbitrationId, roundId, specialistId, specialistVersion, alignment } = event.data;
      const author = authorIn(event.data);
      return { arbitrationId, roundId, specialistId, specialistVersion, ...author, alignment };
    }
    case 'TransitionExecuted': {
      const { roundId, nextRoundId, transitionName, toState } = event.data;
      return { roundId, nextRoundId, transitionName, toState, ...authorIn(event.data) };
    }
    default:
      return undefined;
  }
}

/** The end of a solicitation: its choice is the proposal. */
function closing({ data }: ProposalSubmitted | ProposalSetAside): Members {
  const { proposalId, solicitationId, roundId: _r, specialistId: _s, specialistVersion: _v, ...said } = data;
  const { isHuman: _h, reason: _reason, ...choice } = said as typeof said & { reason?: string };
  return { solicitationId, proposalId, result: { choice } };
}

/** A proposal as stated by its caller. */
function stated({ data }: ProposalSubmitted | ProposalSetAside): Members {
  const { proposalId, specialistId, specialistVersion, isHuman, roundId, transitionName } = data;
  const given = { proposalId, specialistId, specialistVersion, isHuman, roundId, transitionName };
  return { ...given, ...authorIn(data) };
}

function authorIn({ by }: { readonly by?: string }): Members {
  return by === undefined ? {} : { by };
}
