import type { DeclaredMembers } from '#lib/event-store';
import { isJsonObject, type Json, type JsonObject, jsonText, ownMember, type Problem } from '#lib/kernel';
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

/** A statement about all sessions of a machine. */
export type MachineProperty =
  /** The state is never reached. */
  | { readonly never: string }
  /** The second state is never reached without the first. */
  | { readonly before: readonly [string, string] }
  /** The transition of the state is never executed without a person. */
  | { readonly people: readonly [string, string] }
  /** The state can be reached from every state that can be reached. */
  | { readonly reaches: string };

/** The kinds of its members in events. */
export const propertyMembers = {
  never: 'structure',
  before: 'structure',
  people: 'structure',
  reaches: 'structure',
} as const satisfies DeclaredMembers<{ [K in 'never' | 'before' | 'people' | 'reaches']: unknown }>;

const name = { type: 'string', minLength: 1 };
const pair = { type: 'array', items: name, minItems: 2, maxItems: 2 };

/** Properties of one machine. */
const MOST_PROPERTIES = 100;

/** The JSON Schema of a list of properties. */
export const propertiesSchema: JsonObject = {
  description: 'Statements about all sessions: a definition for which one does not hold is refused.',
  type: 'array',
  maxItems: MOST_PROPERTIES,
  items: {
    type: 'object',
    properties: {
      never: { ...name, description: 'This state is never reached.' },
      before: { ...pair, description: 'The second state is never reached without the first.' },
      people: {
        ...pair,
        description: 'State and transition: the transition is never executed without a person.',
      },
      reaches: { ...name, description: 'This state can be reached from every state that can be reached.' },
    },
    minProperties: 1,
    maxProperties: 1,
    additionalProperties: false,
  },
};

/** Names in properties that the states do not have. Both may be anything that is JSON. */
export function unknownNames(states: JsonObject, properties: unknown): readonly Problem[] {
  if (!Array.isArray(properties)) return [];
  return (properties as Json[]).flatMap((property, index) =>
    Object.entries(isJsonObject(property) ? property : {}).flatMap(([kind, value]) => {
      const path = `/properties/${index}/${kind}`;
      if (kind === 'people') return unknownTransition(states, value, path);
      if (!Array.isArray(value)) return unknownState(states, value, path);
      return value.flatMap((state, at) => unknownState(states, state, `${path}/${at}`));
    }),
  );
}

function unknownState(states: JsonObject, state: unknown, path: string): readonly Problem[] {
  if (typeof state !== 'string' || Object.hasOwn(states, state)) return [];
  return [{ path, message: `is the non-existent state ${jsonText(state)}` }];
}

function unknownTransition(states: JsonObject, value: unknown, path: string): readonly Problem[] {
  const [state, transition] = Array.isArray(value) ? (value as Json[]) : [];
  if (typeof state !== 'string' || typeof transition !== 'string') return [];
  if (!Object.hasOwn(states, state)) return unknownState(states, state, `${path}/0`);
  const definition = ownMember(states, state);
  const transitions = isJsonObject(definition) ? ownMember(definition, 'transitions') : undefined;
  if (isJsonObject(transitions) && Object.hasOwn(transitions, transition)) return [];
  const message = `is no transition of state ${jsonText(state)}: ${jsonText(transition)}`;
  return [{ path: `${path}/1`, message }];
}

/** What the checks of all properties of a machine share. */
export interface ReachableGraph {
  readonly machine: MachineDefinition;
  readonly graph: MachineGraph;
  readonly reached: Reached;
}

export function reachableGraph(machine: MachineDefinition): ReachableGraph {
  const graph = machineGraph(machine);
  return { machine, graph, reached: reachedFrom(machine.initialState, graph) };
}

/** The shortest way in which the property is violated; `undefined` if it holds. Linear in the machine. */
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

/** Holds exactly if people alone execute the transition and no timer names it. */
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
