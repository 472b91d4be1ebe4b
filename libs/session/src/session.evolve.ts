import type {
  ProposalSubmitted,
  SessionCreated,
  SessionEvent,
  TransitionExecuted,
} from './session.events.js';
import type { Session, SessionState } from './session.state.js';

/** Total: an event that cannot be (before the session exists, of a type from the future) changes nothing. */
export function evolveSession(state: SessionState, event: SessionEvent): SessionState {
  if (event.type === 'SessionCreated') return state ?? created(event);
  if (state === null) return state;
  switch (event.type) {
    case 'ProposalSolicited':
      return { ...state, solicitations: [...state.solicitations, event.data] };
    case 'ProposalSubmitted':
      return submitted(closed(state, event.data.solicitationId), event);
    case 'ProposalSetAside':
    case 'ProposalFailed':
      return closed(state, event.data.solicitationId);
    case 'TransitionExecuted':
      return advanced(state, event);
    default:
      event satisfies never;
      return state;
  }
}

function created({ data }: SessionCreated): Session {
  const { sessionId, machineName, machine, metaJson, initialState, roundId } = data;
  return {
    sessionId,
    machineName,
    machine,
    ...(metaJson !== undefined && { metaJson }),
    currentState: initialState,
    rounds: [{ roundId, state: initialState }],
    history: [],
    proposals: [],
    solicitations: [],
  };
}

function closed(session: Session, solicitationId: string | undefined): Session {
  if (solicitationId === undefined) return session;
  return {
    ...session,
    solicitations: session.solicitations.filter((open) => open.solicitationId !== solicitationId),
  };
}

function submitted(session: Session, { data }: ProposalSubmitted): Session {
  return { ...session, proposals: [...session.proposals, data] };
}

function advanced(session: Session, { data }: TransitionExecuted): Session {
  const { transitionName, fromState, toState, reasoning, metaJson, nextRoundId } = data;
  const past = { transitionName, fromState, toState, reasoning, ...(metaJson !== undefined && { metaJson }) };
  return {
    ...session,
    currentState: toState,
    rounds: [...session.rounds, { roundId: nextRoundId, state: toState }],
    history: [...session.history, past],
    proposals: [],
  };
}
