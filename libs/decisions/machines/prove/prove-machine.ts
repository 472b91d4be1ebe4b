import { jsonText, type Problem } from '#lib/kernel';
import type { MachineDefinition } from '../machine-definition.js';
import { loopsOf } from './loops.js';
import { leadingTo, onlySteps, type Step } from './machine-graph.js';
import { counterexampleOf, type ReachableGraph, reachableGraph } from './properties.js';
import type { MachineProperty } from './property.js';
import { type UndecidableState, undecidableStates } from './undecidable.js';

/** A property, and whether it holds; if not, a shortest session that violates it. */
export interface ProvedProperty {
  readonly property: MachineProperty;
  readonly holds: boolean;
  /** Empty if the initial state violates it. Absent also beyond the bound on all counterexamples of an answer. */
  readonly counterexample?: readonly Step[];
}

/** Statements about all sessions of a machine with the specialists that it declares. */
export interface MachineProof {
  readonly unreachable: readonly string[];
  /** Reachable states other than the goal from which the goal is not reached. */
  readonly deadEnds: readonly string[];
  readonly undecidable: readonly UndecidableState[];
  /** One loop for each part of the machine that can loop without a person. */
  readonly loopsWithoutPeople: readonly (readonly string[])[];
  readonly properties: readonly ProvedProperty[];
}

/** The most steps in all counterexamples of an answer: two of the longest possible. */
const MOST_STEPS = 2_400;

/** Steps that a message shows. */
const SHOWN_STEPS = 10;

/**
 * Pure. Time is linear in the machine for each property. The machine's own properties come first, then the asked ones.
 * @param asked with states and transitions of the machine
 */
export function proveMachine(
  machine: MachineDefinition,
  asked: readonly MachineProperty[] = [],
): MachineProof {
  const reachable = reachableGraph(machine);
  const { graph, reached } = reachable;
  const toGoal = leadingTo(machine.goalState, graph);
  const alone = onlySteps(
    graph,
    ({ from, definition }) => reached.has(from) && definition.needsPerson !== true,
  );
  return {
    unreachable: Object.keys(machine.states).filter((state) => !reached.has(state)),
    deadEnds: Object.keys(machine.states).filter((state) => reached.has(state) && !toGoal.has(state)),
    undecidable: undecidableStates(machine),
    loopsWithoutPeople: loopsOf(alone),
    properties: proved([...(machine.properties ?? []), ...asked], reachable),
  };
}

function proved(
  properties: readonly MachineProperty[],
  reachable: ReachableGraph,
): readonly ProvedProperty[] {
  let left = MOST_STEPS;
  return properties.map((property) => {
    const counterexample = counterexampleOf(property, reachable);
    if (!counterexample) return { property, holds: true };
    const isShown = counterexample.length <= left;
    if (isShown) left -= counterexample.length;
    return { property, holds: false, ...(isShown && { counterexample }) };
  });
}

/** The stated properties of a machine that do not hold, with their counterexamples. */
export function violatedProperties(machine: MachineDefinition): readonly Problem[] {
  if (!machine.properties) return [];
  return proved(machine.properties, reachableGraph(machine)).flatMap(
    ({ property, holds, counterexample }, at) => {
      if (holds) return [];
      const message = `does not hold: ${jsonText(property)}${shownWay(machine, counterexample)}`;
      return [{ path: `/properties/${at}`, message, ...(counterexample && { counterexample }) }];
    },
  );
}

/** The way as text. */
export function shownWay(
  { initialState }: Pick<MachineDefinition, 'initialState'>,
  way: readonly Step[] | undefined,
): string {
  if (!way) return '';
  if (way.length === 0) return `, by the initial state ${jsonText(initialState)}`;
  const shown = way.slice(0, SHOWN_STEPS).map(({ transition, to }) => ` -${transition}-> ${to}`);
  const more = way.length > SHOWN_STEPS ? ` and ${way.length - SHOWN_STEPS} more steps` : '';
  return `, by ${way[0]?.from ?? ''}${shown.join('')}${more}`;
}
