import { fold } from '#lib/kernel';
import { type MachineDefinition, machineHash, normalizeMachine } from '#lib/decisions/machines';
import type {
  CloseSolicitation,
  CreateSession,
  ExecuteTransition,
  SessionCommand,
  SolicitProposal,
  SubmitArbitration,
  SubmitProposal,
} from '../session.commands.js';
import type {
  ProposalFailed,
  ProposalSetAside,
  ProposalSolicited,
  ProposalSubmitted,
  SessionCreated,
  SessionEvent,
  TransitionExecuted,
} from '../session.events.js';
import { sessionDecider } from '../session.decider.js';
import type { Session } from '../session.state.js';

export const SESSION_ID = 'session-1';

/** Short forms only. From its goal `refunded` leads a transition that no session takes. */
export const machine: MachineDefinition = normalizeMachine({
  machineName: 'support',
  initialState: 'triage',
  goalState: 'refunded',
  states: {
    triage: { prompt: 'What next?', transitions: { refund: 'refunded', escalate: 'escalated' } },
    escalated: { transitions: { resolve: 'refunded', lose: 'lost' } },
    refunded: { transitions: { reopen: 'triage' } },
    lost: {},
  },
});

export function create(over: Partial<CreateSession['data']> = {}): CreateSession {
  return {
    type: 'CreateSession',
    data: { sessionId: SESSION_ID, roundId: 'round-1', machine, machineVersion: 1, ...over },
  };
}

export function created(over: Partial<SessionCreated['data']> = {}): SessionCreated {
  return {
    type: 'SessionCreated',
    data: {
      sessionId: SESSION_ID,
      machineName: 'support',
      machineVersion: 1,
      machineHash: machineHash(machine),
      initialState: 'triage',
      roundId: 'round-1',
      machine,
      ...over,
    },
  };
}

const asked = {
  solicitationId: 'solicitation-1',
  specialistId: 'assistant',
  specialistVersion: 1,
  given: {},
};

export function solicit(over: Partial<SolicitProposal['data']> = {}): SolicitProposal {
  return { type: 'SolicitProposal', data: { sessionId: SESSION_ID, ...asked, ...over } };
}

export function solicited(over: Partial<ProposalSolicited['data']> = {}): ProposalSolicited {
  return { type: 'ProposalSolicited', data: { roundId: 'round-1', ...asked, ...over } };
}

const stated = { proposalId: 'proposal-1', specialistId: 'assistant', specialistVersion: 1, isHuman: false };

export function submit(over: Partial<SubmitProposal['data']> = {}): SubmitProposal {
  return {
    type: 'SubmitProposal',
    data: { sessionId: SESSION_ID, transitionName: 'refund', ...stated, ...over },
  };
}

const proposal = {
  roundId: 'round-1',
  transitionName: 'refund',
  toState: 'refunded',
  reasoning: '',
  ...stated,
};

export function proposed(over: Partial<ProposalSubmitted['data']> = {}): ProposalSubmitted {
  return { type: 'ProposalSubmitted', data: { ...proposal, ...over } };
}

export function setAside(
  reason: ProposalSetAside['data']['reason'],
  over: Partial<ProposalSubmitted['data']> = {},
): ProposalSetAside {
  return { type: 'ProposalSetAside', data: { ...proposal, ...over, reason } };
}

export const FAILURE: ProposalFailed = {
  type: 'ProposalFailed',
  data: {
    solicitationId: 'solicitation-1',
    roundId: 'round-1',
    specialistId: 'assistant',
    failure: { kind: 'http-error', message: 'LLM API error (500): busy', upstreamStatus: 500 },
  },
};

export function close(
  result: CloseSolicitation['data']['result'],
  solicitationId = 'solicitation-1',
): CloseSolicitation {
  return {
    type: 'CloseSolicitation',
    data: { sessionId: SESSION_ID, solicitationId, proposalId: 'proposal-1', result },
  };
}

export function execute(over: Partial<ExecuteTransition['data']> = {}): ExecuteTransition {
  const choice = { transitionName: 'refund', toState: 'refunded', nextRoundId: 'round-2' };
  return { type: 'ExecuteTransition', data: { sessionId: SESSION_ID, ...choice, ...over } };
}

/** Decided by ada if a person decided, by the arbiter if a proposal won, else by an operator. */
export function executed(over: Partial<TransitionExecuted['data']> = {}): TransitionExecuted {
  const decidedBy = over.isHuman ? 'ada' : over.proposalId === undefined ? 'operator' : 'arbiter';
  return {
    type: 'TransitionExecuted',
    data: {
      roundId: 'round-1',
      nextRoundId: 'round-2',
      transitionName: 'refund',
      fromState: 'triage',
      toState: 'refunded',
      reasoning: '',
      isHuman: false,
      decidedBy,
      ...over,
    },
  };
}

/** The command for this round. */
export function at(
  roundId: string,
  command: SolicitProposal | SubmitProposal | SubmitArbitration | ExecuteTransition,
): SessionCommand {
  return { ...command, data: { ...command.data, roundId } } as SessionCommand;
}

/** The session after these events. The first one creates it. */
export function sessionAfter(...events: readonly SessionEvent[]): Session {
  const state = fold(sessionDecider, events);
  if (!state) throw new Error('The first event creates the session.');
  return state;
}
