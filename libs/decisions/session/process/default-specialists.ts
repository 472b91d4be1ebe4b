import { transitionsOf } from '#lib/decisions/machines';
import type { ArbiterRef } from '../consensus/consensus-question.js';
import type { Session } from '../session.state.js';

/** The id of the built-in specialists of `run` in events. No specialist can be registered under it. */
export const DEFAULT_SPECIALIST = 'default';

/** The arbiter of `run` if none is registered for the machine. */
export const defaultArbiter: ArbiterRef = {
  specialistId: DEFAULT_SPECIALIST,
  specialistVersion: 1,
  strategyFnName: 'firstProposal',
};

/** The choice of `run`'s built-in proposer, which is used if none is registered: the first transition. */
export function defaultChoice({ machine, currentState }: Pick<Session, 'machine' | 'currentState'>) {
  const [transitionName = ''] = Object.keys(transitionsOf(machine, currentState));
  return { transitionName, reasoning: `${transitionName}: the first transition` };
}
