import type { RecordedEvent } from '#lib/kernel';
import { KeptMap } from './kept-map.js';
import type { WorkflowStarted } from './runtime.events.js';
import { heldCall, isApproved, isHeldCall, refusalOf } from './script/held-calls.rules.js';
import type { Rules, Seen, Step } from './workflow.js';

/** The answers to the waits for approvals that came before the calls of a run, by the id of the wait. */
export type Holds = KeptMap<boolean>;

/** Ids of these waits end with it: rules may have a wait of their own for each call. */
const HOLD = '#hold';

/** Those of a run that works for a fork which holds. Absent: its calls are not held here. */
export function holdsOf({ holdsCalls }: Rules, { data }: RecordedEvent<WorkflowStarted>): Holds | undefined {
  return data.fork === 'hold' && !holdsCalls ? KeptMap.empty() : undefined;
}

/** @returns undefined for an event that is of none of these waits: it is for the rules */
export function afterHold(holds: Holds, event: Seen): Holds | undefined {
  const { stepId } = event.data as { readonly stepId?: unknown };
  if (typeof stepId !== 'string' || !stepId.endsWith(HOLD)) return undefined;
  const isOver = event.type === 'SignalReceived' || event.type === 'StepCancelled';
  return isOver ? holds.with(stepId, isApproved({ event })) : holds;
}

/**
 * The steps that rules give, with the wait for its approval in place of each call of a function or webhook that has none. A refused
 * call fails the run. An end waits for the calls before it: it would cancel their waits.
 */
export function heldSteps(steps: readonly Step[], holds: Holds): readonly Step[] {
  const held: Step[] = [];
  let isWaiting = false;
  for (const step of steps) {
    if (isWaiting && (step.do === 'end' || step.do === 'fail')) break;
    const hold = isHeldCall(step) ? heldCall(step, HOLD) : undefined;
    const isFree = hold ? holds.get(hold.id) : true;
    if (isFree === false && isHeldCall(step)) return [{ do: 'fail', failure: refusalOf(step) }];
    isWaiting ||= !isFree;
    held.push(hold && !isFree ? hold : step);
  }
  return held;
}
