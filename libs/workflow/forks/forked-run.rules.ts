import type { Event, RecordedEvent } from '#lib/kernel';
import { heldBy } from '../holds.rules.js';
import { KeptMap } from '../kept-map.js';
import type { RunSteps } from '../run.decider.js';
import type { WorkflowStarted } from '../runtime.events.js';
import type { Step } from '../workflow.js';
import type { RunEffects, RunOverrides, WorkflowForked } from './fork.events.js';

/** The fork that a run works for: since its start, or since it was copied. */
export interface RunFork {
  readonly effects: RunEffects;
  readonly overrides?: RunOverrides;
}

/** The fork of a run that works for one from its beginning. */
export function forkAtStart({ fork, overrides }: WorkflowStarted['data']): RunFork | undefined {
  return fork && { effects: fork, ...(overrides && { overrides }) };
}

export function forkFrom({ data: { effects, overrides } }: WorkflowForked): RunFork {
  return { effects, ...(overrides && { overrides }) };
}

/** Whether a fork continues by itself from this event. */
export function isForked(event: Event): event is WorkflowForked {
  return event.type === 'WorkflowForked';
}

/** The steps that rules without a script asked for while the events of a fork were copied: by id, each as it was asked for last. */
export type AskedSteps = KeptMap<Step>;

/** The steps are kept only for rules without a script: scripts ask for the open steps again by themselves. */
export function askedAtStart(asksAgain: boolean | undefined, { data }: RecordedEvent<WorkflowStarted>) {
  return data.forkedFrom && !asksAgain ? KeptMap.empty<Step>() : undefined;
}

export function withAsked(asked: AskedSteps, answer: readonly Step[]): AskedSteps {
  return answer.reduce(
    (all, step) => ('id' in step && step.do !== 'cancel' ? all.with(step.id, step) : all),
    asked,
  );
}

/** The steps that were open, in the order in which they were opened. In place of a wait for the approval of a call, the call. */
export function openAgain({ open }: Pick<RunSteps, 'open'>, asked: AskedSteps): readonly Step[] {
  return open.keys().flatMap((id) => asked.get(id) ?? asked.get(heldBy(id)) ?? []);
}
