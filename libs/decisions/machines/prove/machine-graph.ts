import type { MachineDefinition, TransitionDefinition } from '../machine-definition.js';
import { isAtRest, transitionsOf } from '../machine-reading.js';

/** A transition as a step of a session. */
export interface Step {
  readonly from: string;
  readonly transition: string;
  readonly to: string;
}

/** A step that a session can take, with its definition. */
interface Edge extends Step {
  readonly definition: TransitionDefinition;
}

/** The steps out of each state, in the order of the machine. A state in which sessions rest has none. */
export type MachineGraph = ReadonlyMap<string, readonly Edge[]>;

export function machineGraph(machine: MachineDefinition): MachineGraph {
  return new Map(
    Object.keys(machine.states).map((from) => [
      from,
      isAtRest(machine, from)
        ? []
        : Object.entries(transitionsOf(machine, from)).map(([transition, definition]) => ({
            from,
            transition,
            to: definition.target,
            definition,
          })),
    ]),
  );
}

/** The steps of a graph that pass a test. */
export function onlySteps(graph: MachineGraph, keep: (edge: Edge) => boolean): MachineGraph {
  return new Map([...graph].map(([state, edges]) => [state, edges.filter(keep)]));
}

/** Every state reached from `start`, with `start`, nearest first, each with the last step of a shortest way. Linear in the graph. */
export type Reached = ReadonlyMap<string, Edge | undefined>;

export function reachedFrom(start: string, graph: MachineGraph): Reached {
  const reached = new Map<string, Edge | undefined>([[start, undefined]]);
  for (const [state] of reached) {
    for (const edge of graph.get(state) ?? []) {
      if (!reached.has(edge.to)) reached.set(edge.to, edge);
    }
  }
  return reached;
}

/** The shortest way to a reached state. */
export function wayTo(state: string, reached: Reached): readonly Step[] {
  const way: Step[] = [];
  for (let last = reached.get(state); last; last = reached.get(last.from)) way.push(stepOf(last));
  return way.toReversed();
}

export function stepOf({ from, transition, to }: Edge): Step {
  return { from, transition, to };
}

/** Every state from which `goal` is reached, with `goal`. Linear in the graph. */
export function leadingTo(goal: string, graph: MachineGraph): ReadonlySet<string> {
  const before = new Map<string, Edge[]>();
  for (const edge of [...graph.values()].flat()) {
    const known = before.get(edge.to);
    if (known) known.push(edge);
    else before.set(edge.to, [edge]);
  }
  const found = new Set([goal]);
  for (const state of found) {
    for (const { from } of before.get(state) ?? []) found.add(from);
  }
  return found;
}
