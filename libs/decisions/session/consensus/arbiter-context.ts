import { type JsonObject, present } from '#lib/kernel';
import { promptOf } from '#lib/decisions/machines';
import { currentRound, type Session } from '../session.state.js';
import type { OpenProposal, PastTransition } from '../session.events.js';
import type { ContextExemplar } from '../proposer-context.js';
import type { AlignmentSnapshot } from './alignment-snapshot.js';
import type { ArbiterRef } from './consensus-question.js';
import { weighedProposals } from '../people/needs-person.rules.js';
import { effectiveThreshold } from './effective-threshold.js';
import { effectiveTrust, type Weighing, weightOf } from './trust.js';

/** The input of an arbiter that is a function or a webhook. */
export type ArbiterContext = {
  readonly sessionId: string;
  readonly roundId: string;
  readonly machineName: string;
  readonly currentState: string;
  /** The decision question; "" if the state has none. */
  readonly prompt: string;
  /** The proposals of the round, in the order they arrived. */
  readonly proposals: readonly OpenProposal[];
  /** By specialist, from 0 to 1: of all known scores and all proposers. 0 for an author below the trust policy. */
  readonly alignment: { readonly [specialistId: string]: number };
  /** The same under DIAL's name. Only in a request to an arbiter. */
  readonly alignmentScores?: { readonly [specialistId: string]: number };
  /** Earlier decisions of people in this state, newest first. Absent without any, and outside of a request to an arbiter. */
  readonly humanGoldExamples?: readonly ContextExemplar[];
  readonly history: readonly PastTransition[];
  /** The effective threshold: the state's, else the machine's, else the arbiter's own. */
  readonly threshold?: number;
  readonly metaJson?: JsonObject;
};

/** The input of an arbiter: the round, its proposals and the history. */
export function arbiterContext(
  session: Session,
  arbiter: ArbiterRef,
  alignment: AlignmentSnapshot,
): ArbiterContext {
  const { sessionId, machineName, machine, currentState, earlier, history, metaJson } = session;
  const proposals = weighedProposals(session);
  const threshold = effectiveThreshold(machine, currentState, arbiter);
  const trust = effectiveTrust(session, arbiter);
  return {
    sessionId,
    roundId: currentRound(session).roundId,
    machineName,
    currentState,
    prompt: promptOf(machine, currentState),
    proposals,
    alignment: weights(proposals, { alignment, ...(trust && { trust }) }),
    history: [...earlier, ...history],
    ...present({ threshold, metaJson }),
  };
}

function weights(proposals: readonly OpenProposal[], weighing: Weighing) {
  const known = weighing.alignment.scores.map(({ specialistId, specialistVersion }) => ({
    specialistId,
    specialistVersion,
    isHuman: false,
  }));
  return Object.fromEntries(
    [...known, ...proposals].map((one) => [one.specialistId, weightOf(one, weighing)]),
  );
}
