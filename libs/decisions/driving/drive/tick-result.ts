import { derivedId, fold, type RecordedEvent } from '#lib/kernel';
import { childContext, type CommandContext, type Written } from '#lib/operations/core';
import {
  type Session,
  sessionDecider,
  type SessionEvent,
  type TransitionExecuted,
} from '#lib/decisions/session';
import { deliveryId } from '#lib/workflow';
import type { Tick } from '../sessions.views.js';

type History = readonly RecordedEvent<SessionEvent>[];

/** The result of a step from its events; `undefined` if they do not give one. */
export function writtenResult(
  context: CommandContext,
  history: History,
  moves: number,
): Written<Tick> | undefined {
  const trace = traceOf(context, history, moves);
  const value = tickResultOf(trace, history);
  return value && { value, position: trace.at(-1)?.position, created: false };
}

/** The events of a step with at most `moves` moves: of its own commands, and of the ends of its runs. */
export function traceOf(context: CommandContext, history: History, moves: number): History {
  const own = (name: string) => childContext(context, name).commandId;
  const known = history.flatMap(({ data }) => ('specialistId' in data ? [data.specialistId] : []));
  const solicits = [...new Set(known)].map((specialistId) => own(`solicit-${specialistId}`));
  const arbitrations = Array.from({ length: moves }, (_, count) => own(`arbitrate-${count}`));
  const ids = new Set([
    ...solicits.flatMap((commandId) => [commandId, deliveryId(derivedId(commandId, 'solicitation'))]),
    own('ask-human'),
    ...arbitrations.flatMap((commandId) => [commandId, deliveryId(derivedId(commandId, 'arbitration'))]),
  ]);
  return history.filter(({ metadata }) => metadata.commandId !== undefined && ids.has(metadata.commandId));
}

/**
 * The result of a step from its own events, so that a repeat gives the same result.
 * @param trace the events of the step, in order
 * @param history the session's stream
 * @returns `undefined` if they do not give one
 */
function tickResultOf(trace: History, history: History): Tick | undefined {
  const last = trace.at(-1);
  const session = last && fold(sessionDecider, history.slice(0, last.revision + 1));
  if (!session) return undefined;
  const transition = trace.find((event) => event.type === 'TransitionExecuted');
  if (transition) return advanced(session, transition, winnerOf(trace));
  const waiting = trace.find((event) => event.type === 'HumanInputRequested');
  if (waiting) return needsHuman(session, waiting.data.detail);
  const failed = trace.flatMap(failureIn).at(-1);
  if (failed && !trace.some(({ type }) => type === 'ProposalSubmitted'))
    return { ...about(session), status: 'failed', ...failed };
  const asked = trace.find(({ type }) => type === 'ProposalSolicited' || type === 'ProposalSubmitted');
  if (asked && 'specialistId' in asked.data) return solicitedResult(session, asked.data.specialistId);
  return session.awaitsHuman ? needsHuman(session, session.judgement?.reasoning ?? '') : undefined;
}

/** The result if another caller decided the round meanwhile. */
export function decidedMeanwhile(session: Session, index: number): Tick | undefined {
  const past = session.history[index];
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

export function needsHuman(session: Session, reasoning: string): Tick {
  return { ...about(session), status: 'needs_human', reasoning };
}

export function solicitedResult(session: Session, specialistId: string | undefined): Tick {
  return { ...about(session), status: 'solicited', ...(specialistId !== undefined && { specialistId }) };
}

function advanced(
  session: Session,
  { data }: RecordedEvent<TransitionExecuted>,
  specialistId: string | undefined,
): Tick {
  return {
    ...about(session),
    status: 'advanced',
    ...(specialistId !== undefined && { specialistId }),
    previousState: data.fromState,
    transitionName: data.transitionName,
    reasoning: data.reasoning,
  };
}

function failureIn(event: SessionEvent): Pick<Tick, 'specialistId' | 'failure'>[] {
  if (event.type === 'ProposalFailed') {
    const { specialistId, failure } = event.data;
    return [{ specialistId, failure: { kind: failure.kind, message: failure.message } }];
  }
  if (event.type !== 'ProposalSetAside' || event.data.reason !== 'invalid') return [];
  const { specialistId, transitionName } = event.data;
  const message = `the state offers no transition "${transitionName}" to "${event.data.toState}"`;
  return [{ specialistId, failure: { kind: 'invalid-choice', message } }];
}

function winnerOf(trace: readonly SessionEvent[]): string | undefined {
  const consensus = trace.find((event) => event.type === 'ConsensusReached');
  return consensus?.data.proposals.find(({ proposalId }) => proposalId === consensus.data.winningProposalId)
    ?.specialistId;
}

function about({ sessionId, machineName, currentState }: Session) {
  return { sessionId, machineName, currentState };
}
