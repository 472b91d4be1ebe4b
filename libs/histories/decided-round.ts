import { roundStart, type SessionEvent } from '#lib/decisions/session';
import type { ChosenRound } from '#lib/read-models';
import { readableHistory, type ReplayedLog } from '#lib/runs/runs/core';

/** A round as recorded in the stream of its session; `undefined` if that stream has no decision of it. */
export async function decidedRound(
  log: ReplayedLog,
  { sessionId, roundId }: Pick<ChosenRound, 'sessionId' | 'roundId'>,
): Promise<ChosenRound | undefined> {
  const { events } = await readableHistory<SessionEvent>(log, log.streams.of('session', sessionId));
  const decision = events.find(
    (event) => event.type === 'TransitionExecuted' && event.data.roundId === roundId,
  );
  if (decision?.type !== 'TransitionExecuted') return undefined;
  const { fromState: state, transitionName, toState, decidedBy, isHuman } = decision.data;
  const revision = roundStart(events, roundId);
  return { sessionId, roundId, revision, state, transitionName, toState, decidedBy, isHuman };
}
