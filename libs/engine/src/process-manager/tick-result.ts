import { fold, type RecordedEvent } from '#lib/kernel';
import { type Session, sessionDecider, type SessionEvent, type TransitionExecuted } from '#lib/session';

/** What one step brought a session. */
export interface TickResult {
  readonly sessionId: string;
  readonly machineName: string;
  readonly status: 'solicited' | 'advanced' | 'needs_human';
  readonly currentState: string;
  /** Who was asked, or whose proposal won. */
  readonly specialistId?: string;
  readonly previousState?: string;
  readonly transitionName?: string;
  readonly reasoning?: string;
}

/**
 * The result of a step, from what it wrote: so that a repeat of it says the same.
 * @param trace the events the step wrote, in order
 * @param history the session's stream
 * @returns `undefined` where they do not say
 */
export function tickResultOf(
  trace: readonly RecordedEvent<SessionEvent>[],
  history: readonly RecordedEvent<SessionEvent>[],
): TickResult | undefined {
  const last = trace.at(-1);
  const session = last && fold(sessionDecider, history.slice(0, last.revision + 1));
  if (!session) return undefined;
  const transition = trace.find((event) => event.type === 'TransitionExecuted');
  if (transition) return advanced(session, transition, winnerOf(trace));
  const asked = trace.find((event) => event.type === 'HumanInputRequested');
  if (asked) return needsHuman(session, asked.data.detail);
  const solicited = trace.find((event) => event.type === 'ProposalSolicited');
  if (solicited) return solicitedResult(session, solicited.data.specialistId);
  return session.awaitsHuman ? needsHuman(session, session.judgement?.reasoning ?? '') : undefined;
}

/** Somebody else decided the round meanwhile. */
export function decidedMeanwhile(session: Session, place: number): TickResult | undefined {
  const past = session.history[place];
  return (
    past && {
      ...about(session),
      status: 'advanced',
      previousState: past.fromState,
      currentState: past.toState,
      transitionName: past.transitionName,
      reasoning: past.reasoning,
    }
  );
}

export function needsHuman(session: Session, reasoning: string): TickResult {
  return { ...about(session), status: 'needs_human', reasoning };
}

export function solicitedResult(session: Session, specialistId: string | undefined): TickResult {
  return { ...about(session), status: 'solicited', ...(specialistId !== undefined && { specialistId }) };
}

function advanced(
  session: Session,
  { data }: RecordedEvent<TransitionExecuted>,
  specialistId: string | undefined,
): TickResult {
  return {
    ...about(session),
    status: 'advanced',
    ...(specialistId !== undefined && { specialistId }),
    previousState: data.fromState,
    transitionName: data.transitionName,
    reasoning: data.reasoning,
  };
}

function winnerOf(trace: readonly SessionEvent[]): string | undefined {
  const consensus = trace.find((event) => event.type === 'ConsensusReached');
  return consensus?.data.proposals.find(({ proposalId }) => proposalId === consensus.data.winningProposalId)
    ?.specialistId;
}

function about({ sessionId, machineName, currentState }: Session) {
  return { sessionId, machineName, currentState };
}
