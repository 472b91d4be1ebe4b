import type {
  MachineDefinition,
  MachineInput,
  StateDefinition,
  StateInput,
  TransitionDefinition,
  TransitionInput,
} from './machine-definition.js';

/**
 * The one form of a valid machine that all other code reads: each transition an object, the goal under `goalState`, no `$schema`,
 * which is for editors. Members keep their order (a `goalState` written as `defaultState` takes its place); objects are kept; the
 * input is not changed. A normalized machine stays equal. JavaScript itself puts names that are whole numbers ("1", "20") first,
 * in ascending order: do not rely on their order.
 */
export function normalizeMachine(input: MachineInput): MachineDefinition {
  const { $schema: _, ...machine } = withoutAlias(input);
  return { ...machine, states: mapMembers(input.states, normalizeState) };
}

function withoutAlias(
  input: MachineInput,
): Omit<MachineInput, 'states' | 'goalState'> & { goalState: string } {
  if (input.goalState !== undefined) {
    const { defaultState: _, ...rest } = input;
    return rest;
  }
  const goalState = input.defaultState;
  const members = Object.entries(input).filter(([name]) => name !== 'goalState');
  const renamed = members.map(
    ([name, value]) => [name === 'defaultState' ? 'goalState' : name, value] as const,
  );
  return { ...(Object.fromEntries(renamed) as Omit<MachineInput, 'goalState'>), goalState };
}

function normalizeState(state: StateInput): StateDefinition {
  if (state.transitions === undefined) return state as StateDefinition;
  return { ...state, transitions: mapMembers(state.transitions, normalizeTransition) };
}

function normalizeTransition(transition: TransitionInput): TransitionDefinition {
  return typeof transition === 'string' ? { target: transition } : transition;
}

function mapMembers<A, B>(record: { readonly [name: string]: A }, map: (member: A) => B): Record<string, B> {
  return Object.fromEntries(Object.entries(record).map(([name, member]) => [name, map(member)]));
}
