import { type Members, recordedBesides } from '#lib/kernel';
import type { SessionCommand } from './session.commands.js';
import type { ProposalSetAside, ProposalSubmitted, SessionEvent } from './session.events.js';

/** The record of a session's commands, and the command that a record stands for. */
export const recordedCommand = recordedBesides<SessionCommand, SessionEvent>(
  (type, [event]) => event && heldIn(type, event),
);

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
    case 'HumanOverrideAccepted': {
      const { arbitrationId, roundId, specialistId, specialistVersion, alignment } = event.data;
      return { arbitrationId, roundId, specialistId, specialistVersion, alignment };
    }
    case 'TransitionExecuted': {
      const { roundId, nextRoundId, transitionName, toState } = event.data;
      return { roundId, nextRoundId, transitionName, toState };
    }
    default:
      return undefined;
  }
}

/** The end of a solicitation, whose choice is the proposal. */
function closing({ data }: ProposalSubmitted | ProposalSetAside): Members {
  const { proposalId, solicitationId, roundId: _r, specialistId: _s, specialistVersion: _v, ...said } = data;
  const { isHuman: _h, reason: _reason, ...choice } = said as typeof said & { reason?: string };
  return { solicitationId, proposalId, result: { choice } };
}

/** A proposal as its caller stated it. */
function stated({ data }: ProposalSubmitted | ProposalSetAside): Members {
  const { proposalId, specialistId, specialistVersion, isHuman, roundId, transitionName } = data;
  return { proposalId, specialistId, specialistVersion, isHuman, roundId, transitionName };
}
