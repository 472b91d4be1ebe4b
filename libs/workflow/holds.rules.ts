import type { RunEffects } from './forks/fork.events.js';
import { KeptMap } from './kept-map.js';
import { heldCall, isApproved, isHeldCall, refusalOf } from './script/held-calls.rules.js';
import type { Rules, Seen, Step } from './workflow.js';

/** The answers to the waits for approvals that came before the calls of a run, by the id of the wait. */
export interface Holds {
  /** The end of the ids of these waits: rules may have a wait of their own for each call. */
  readonly ending: string;
  readonly answers: KeptMap<boolean>;
}

const HOLD = '#hold';
const OF_HOLD = /#hold(@\d+)?$/;

/**
 * Those of a run that works for a fork which holds. Absent: its calls are not held here.
 * @param revision of the event from which the fork goes on by itself: each fork asks by waits of its own
 */
export function holdsOf(
  { asksAgain }: Rules,
  fork: { readonly effects: RunEffects } | undefined,
  revision?: number,
): Holds | undefined {
  if (fork?.effects !== 'hold' || asksAgain) return undefined;
  return { ending: revision === undefined ? HOLD : `${HOLD}@${revision}`, answers: KeptMap.empty() };
}

/** The call that a wait for its approval stands before; the id itself, if it is of no such wait. */
export function heldBy(stepId: string): string {
  return stepId.replace(OF_HOLD, '');
}

/** @returns undefined for an event that is of none of these waits: it is for the rules */
export function afterHold(holds: Holds, event: Seen): Holds | undefined {
  const { stepId } = event.data as { readonly stepId?: unknown };
  if (typeof stepId !== 'string' || !OF_HOLD.test(stepId)) return undefined;
  const isOver = event.type === 'SignalReceived' || event.type === 'StepCancelled';
  return isOver ? { ...holds, answers: holds.answers.with(stepId, isApproved({ event })) } : holds;
}

/**
 * The steps that rules give, with the wait for its approval in place of each call of a function or webhook that has none. A refused
 * call fails the run. An end waits for the calls before it: it would cancel their waits.
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
