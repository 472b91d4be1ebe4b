import { ownMember } from '#lib/kernel';
import type { MachineDefinition } from '../machine-definition.js';
import { timedTransitionsOf, peopleOf, transitionsOf } from '../machine-reading.js';
import {
  leadingTo,
  machineGraph,
  type MachineGraph,
  onlySteps,
  type Reached,
  reachedFrom,
  type Step,
  wayTo,
} from './machine-graph.js';
import type { MachineProperty } from './property.js';

/** A machine with its graph and its reachable states, which the checks of all its properties share. */
export interface ReachableGraph {
  readonly machine: MachineDefinition;
  readonly graph: MachineGraph;
  readonly reached: Reached;
}

export function reachableGraph(machine: MachineDefinition): ReachableGraph {
  const graph = machineGraph(machine);
  return { machine, graph, reached: reachedFrom(machine.initialState, graph) };
}

/** A shortest way that violates the property; `undefined` if it holds. Linear in the machine. */
export function counterexampleOf(
  property: MachineProperty,
  { machine, graph, reached }: ReachableGraph,
): readonly Step[] | undefined {
  if ('never' in property) return reached.has(property.never) ? wayTo(property.never, reached) : undefined;
  if ('before' in property) return without(property.before, machine, graph);
  if ('people' in property) return withoutPeople(property.people, machine, reached);
  const good = leadingTo(property.reaches, graph);
  const stuck = [...reached.keys()].find((state) => !good.has(state));
  return stuck === undefined ? undefined : wayTo(stuck, reached);
}

function without(
  [first, second]: readonly [string, string],
  machine: MachineDefinition,
  graph: MachineGraph,
) {
  if (machine.initialState === first) return undefined;
  const reached = reachedFrom(
    machine.initialState,
    onlySteps(graph, ({ to }) => to !== first),
  );
  return reached.has(second) ? wayTo(second, reached) : undefined;
}

/** Holds exactly if only people execute the transition and no timer names it. */
function withoutPeople(
  [state, transition]: readonly [string, string],
  machine: MachineDefinition,
  reached: Reached,
): readonly Step[] | undefined {
  const definition = ownMember(transitionsOf(machine, state), transition);
  const timed = timedTransitionsOf(machine, state).some((one) => one.transition === transition);
  const isTimed = timed || peopleOf(machine, state)?.onExpiry?.transition === transition;
  if (!definition || (definition.needsPerson === true && !isTimed)) return undefined;
  return [...wayTo(state, reached), { from: state, transition, to: definition.target }];
}
