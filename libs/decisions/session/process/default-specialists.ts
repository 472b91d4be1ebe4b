import { transitionsOf } from '#lib/decisions/machines';
import type { ArbiterRef } from '../consensus/consensus-question.js';
import type { Session } from '../session.state.js';

/** The id of the built-in specialists of `run` in events. No specialist can be registered under it. */
export const DEFAULT_SPECIALIST = 'default';

/** Judges for `run` if no arbiter is registered for the machine. */
export const defaultArbiter: ArbiterRef = {
  specialistId: DEFAULT_SPECIALIST,
  specialistVersion: 1,
  strategyFnName: 'firstProposal',
};

/** The choice of the built-in proposer of `run`, which is used if no proposer is registered: the first transition. */
export function defaultChoice({ machine, currentState }: Pick<Session, 'machine' | 'currentState'>) {
  const [transitionName = ''] = Object.keys(transitionsOf(machine, currentState));
  return { transitionName, reasoning: `${transitionName}: the first transition` };
}
