import { ownMember } from '#lib/kernel';
import type { DecidingPolicy, TimedTransition } from './deciding-times.js';
import type { MachineDefinition, TransitionDefinition } from './machine-definition.js';

/** The transitions out of a state, in order; empty for an unknown state. */
export function transitionsOf(
  machine: MachineDefinition,
  stateName: string,
): { readonly [name: string]: TransitionDefinition } {
  return ownMember(machine.states, stateName)?.transitions ?? {};
}

/** Whether a session in this state is completed: the state is the goal, or has no transition. */
export function isAtRest(machine: MachineDefinition, stateName: string): boolean {
  return stateName === machine.goalState || Object.keys(transitionsOf(machine, stateName)).length === 0;
}

/** Whether the transition can be offered to a model as a tool. An empty description counts. */
export function isEnriched(transition: TransitionDefinition): boolean {
  return transition.description !== undefined || transition.parameters !== undefined;
}

/** The question to decide in a state; empty if there is none. */
export function promptOf(machine: MachineDefinition, stateName: string): string {
  return ownMember(machine.states, stateName)?.prompt ?? '';
}

/** The state's policy, else the machine's. */
export function peopleOf(
  machine: Pick<MachineDefinition, 'states' | 'people'>,
  stateName: string,
): DecidingPolicy | undefined {
  return ownMember(machine.states, stateName)?.people ?? machine.people;
}

/** The timed transitions of a state. */
export function timedTransitionsOf(
  machine: Pick<MachineDefinition, 'states'>,
  stateName: string,
): readonly TimedTransition[] {
  return ownMember(machine.states, stateName)?.after ?? [];
}

/** The policies of a machine: its own, and those of its states. */
export function peoplePolicies({ people, states }: MachineDefinition): readonly DecidingPolicy[] {
  return [people, ...Object.values(states).map((state) => state.people)].filter((one) => one !== undefined);
}
