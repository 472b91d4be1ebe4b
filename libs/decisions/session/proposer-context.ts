import type { JsonObject } from '#lib/kernel';
import { promptOf, type TransitionDefinition, transitionsOf } from '#lib/decisions/machines';
import type { Session } from './session.state.js';
import type { PastTransition } from './session.events.js';

/** The context that a proposer gets. */
export type ProposerContext = {
  readonly sessionId: string;
  readonly machineName?: string;
  readonly currentState: string;
  /** The decision question; "" if the state has none. */
  readonly prompt: string;
  readonly transitions: { readonly [name: string]: TransitionDefinition };
  readonly history: readonly PastTransition[];
  readonly metaJson?: JsonObject;
  /** Earlier decisions of people in this state, newest first. Absent without any, and outside of a request to a proposer. */
  readonly exemplars?: readonly ContextExemplar[];
};

/** A person's decision as an example. */
export type ContextExemplar = {
  readonly sessionId: string;
  readonly roundId: string;
  readonly currentState: string;
  readonly transitionName: string;
  readonly toState: string;
  readonly reasoning: string;
  /** The metadata of the decision. */
  readonly metaJson?: JsonObject;
  /** The facts of the decided session. */
  readonly sessionMetaJson?: JsonObject;
  /** ISO 8601, UTC. */
  readonly decidedAt: string;
};

/** The context of a round at its begin, whenever it is computed. */
export function proposerContext(session: Session, roundId: string): ProposerContext {
  const index = session.rounds.findIndex((round) => round.roundId === roundId);
  const currentState = session.rounds[index]?.state ?? session.currentState;
  return {
    sessionId: session.sessionId,
    machineName: session.machineName,
    currentState,
    prompt: promptOf(session.machine, currentState),
    transitions: transitionsOf(session.machine, currentState),
    history: [...session.earlier, ...session.history.slice(0, index < 0 ? undefined : index)],
    ...(session.metaJson !== undefined && { metaJson: session.metaJson }),
  };
}
