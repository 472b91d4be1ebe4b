import type { RunEffects } from './forks/fork.events.js';
import { KeptMap } from './kept-map.js';
import { heldCall, isApproved, isHeldCall, refusalOf } from './script/held-calls.rules.js';
import type { Rules, Seen, Step } from './workflow.js';

/** The answers to the approvals that a fork asks for before calls, by the id of the wait. */
export interface Holds {
  /** The ending of the ids of these waits: rules may have a wait of their own for each call. */
  readonly ending: string;
  readonly answers: KeptMap<boolean>;
}

const HOLD = '#hold';
const OF_HOLD = /#hold(@\d+)?$/;

/**
 * The holds of a run that works for a fork with the effects `hold`; `undefined` if the runtime does not hold its calls.
 * @param revision of the event at which the fork continues by itself: each fork has waits of its own
 */
export function holdsOf(
  { asksAgain }: Rules,
  fork: { readonly effects: RunEffects } | undefined,
  revision?: number,
): Holds | undefined {
  if (fork?.effects !== 'hold' || asksAgain) return undefined;
  return { ending: revision === undefined ? HOLD : `${HOLD}@${revision}`, answers: KeptMap.empty() };
}

/** The id of the call after this wait for an approval; the id itself, if the step is no such wait. */
export function heldBy(stepId: string): string {
  return stepId.replace(OF_HOLD, '');
}

/** @returns `undefined` for an event that belongs to none of these waits: it is for the rules */
export function afterHold(holds: Holds, event: Seen): Holds | undefined {
  const { stepId } = event.data as { readonly stepId?: unknown };
  if (typeof stepId !== 'string' || !OF_HOLD.test(stepId)) return undefined;
  const isOver = event.type === 'SignalReceived' || event.type === 'StepCancelled';
  return isOver ? { ...holds, answers: holds.answers.with(stepId, isApproved({ event })) } : holds;
}

/**
 * The steps of the rules, with a wait for approval in place of each call of a function or webhook that is not approved. A refused call fails the
 * run. An end comes after the waits, because it would cancel them.
 * @param closed steps: a call among them was made, maybe before the fork, where other answers counted
 */
export function heldSteps(
  steps: readonly Step[],
  { ending, answers }: Holds,
  closed: KeptMap<true>,
): readonly Step[] {
  const held: Step[] = [];
  let isWaiting = false;
  for (const step of steps) {
    if (isHeldCall(step) && closed.has(step.id)) continue;
    if (isWaiting && (step.do === 'end' || step.do === 'fail')) break;
    const hold = isHeldCall(step) ? heldCall(step, ending) : undefined;
    const isFree = hold ? answers.get(hold.id) : true;
    if (isFree === false && isHeldCall(step)) return [{ do: 'fail', failure: refusalOf(step) }];
    isWaiting ||= !isFree;
    held.push(hold && !isFree ? hold : step);
  }
  return held;
}
