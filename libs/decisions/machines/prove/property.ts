import type { DeclaredMembers } from '#lib/event-store';
import { isJsonObject, type Json, type JsonObject, jsonText, ownMember, type Problem } from '#lib/kernel';

/** A statement about all sessions of a machine. */
export type MachineProperty =
  /** The state is never reached. */
  | { readonly never: string }
  /** The second state is never reached without the first. */
  | { readonly before: readonly [string, string] }
  /** The transition of the state is never executed without a person. */
  | { readonly people: readonly [string, string] }
  /** The state can be reached from every reachable state. */
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

/** The most properties of one machine. */
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

/** Names in properties that are not states. Both arguments may be any JSON. */
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
