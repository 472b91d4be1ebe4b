import type { Decider, Rejection } from '#lib/kernel';
import { recordedCommand } from './recorded-command.js';
import type { SessionCommand } from './session.commands.js';
import { decideSession } from './session.decide.js';
import type { SessionEvent } from './session.events.js';
import { evolveSession } from './session.evolve.js';
import { waitsForPerson } from './session.rejections.js';
import { currentRound, type SessionState } from './session.state.js';

/** The rules of a session. */
export const sessionDecider: Decider<SessionState, SessionCommand, SessionEvent> = {
  initialState: null,
  complete: withRound,
  decide: decideSession,
  evolve: evolveSession,
  ...recordedCommand,
};

/**
 * The same rules for callers that may not take part in a round that waits for a person: they may neither propose there, nor have
 * a proposer asked, nor have the arbiter judge. A command that is repeated under its key is answered as the first time.
 */
export const sessionDeciderLeavingToPeople: typeof sessionDecider = {
  ...sessionDecider,
  decide: (command, state) => leftToPeople(command, state) ?? decideSession(command, state),
};

function leftToPeople({ type, data }: SessionCommand, state: SessionState): Rejection | undefined {
  if (type !== 'SolicitProposal' && type !== 'SubmitProposal' && type !== 'SubmitArbitration')
    return undefined;
  if (!state?.awaitsHuman || data.roundId !== currentRound(state).roundId) return undefined;
  return waitsForPerson(state.sessionId);
}

/** A command without a round means the current one at its first attempt. */
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
