import { isJsonObject, type Json, type JsonObject, sameJson } from '#lib/kernel';
import { argumentsSchema, isEnriched, type TransitionDefinition } from '#lib/decisions/machines';
import type { OfferedTransitions } from './build-tools.js';

const REASONING = { type: 'string', description: 'Why, in one or two sentences.' };

/** The transitions as tools that also ask for `reasoning`. A transition with a parameter of that name is not changed. */
export function askingReasoning(transitions: OfferedTransitions): OfferedTransitions {
  return Object.fromEntries(
    Object.entries(transitions).map(([name, to]) =>
      typeof to === 'object' && isEnriched(to) && !hasOwnReasoning(to)
        ? [name, withReasoning(to)]
        : [name, to],
    ),
  );
}

/** The arguments without the reasoning that the tool asked for, and the reasoning. */
export function splitReasoning(
  transition: TransitionDefinition,
  args: JsonObject,
): { readonly args: JsonObject; readonly reasoning?: string } {
  if (hasOwnReasoning(transition)) return { args };
  const { reasoning, ...own } = args;
  return { args: own, ...(typeof reasoning === 'string' && reasoning !== '' && { reasoning }) };
}

/** The same by the offered tool: a transition's own parameter of that name has another description. */
export function withoutReasoning(parameters: Json | undefined, args: JsonObject): JsonObject {
  const { properties } = isJsonObject(parameters) ? parameters : {};
  const { reasoning } = isJsonObject(properties) ? properties : {};
  if (reasoning === undefined || !sameJson(reasoning, REASONING)) return args;
  const { reasoning: _, ...own } = args;
  return own;
}

function hasOwnReasoning({ parameters }: TransitionDefinition): boolean {
  const properties = parameters && argumentsSchema(parameters)['properties'];
  return isJsonObject(properties) && Object.hasOwn(properties, 'reasoning');
}

function withReasoning(transition: TransitionDefinition): TransitionDefinition {
  const { properties, required, ...schema } = argumentsSchema(transition.parameters ?? {});
  return {
    ...transition,
    parameters: {
      type: 'object',
      ...schema,
      properties: { ...(isJsonObject(properties) && properties), reasoning: REASONING },
      required: [...(Array.isArray(required) ? required : []), 'reasoning'],
    },
  };
}
