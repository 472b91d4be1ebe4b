import { checkValue, type Findings } from '#lib/json-schema';
import { type JsonObject, ownMember } from '#lib/kernel';
import { argumentsSchema } from './arguments-schema.js';
import type { TransitionDefinition } from './machine-definition.js';

export type { SchemaError as ArgumentError } from '#lib/json-schema';

const FITTING: Findings = { errors: [], count: 0 };
const NO_OBJECT: Findings = { errors: [{ path: '', keyword: 'type', params: { type: 'object' } }], count: 1 };

/**
 * How arguments do not fit a transition's `parameters`: the first 20 errors, and how many there are. Bounded and deterministic; never
 * throws. Arguments that are absent are `{}`, and what is not a JSON object fits nothing, whether there are parameters or not.
 */
export function checkArguments(
  { parameters }: Pick<TransitionDefinition, 'parameters'>,
  args: JsonObject | 'malformed' = {},
): Findings {
  if (args === 'malformed') return NO_OBJECT;
  return parameters ? checkValue(argumentsSchema(parameters), args) : FITTING;
}

/** Whether a transition's tool has no arguments, so that a call without any text in their place is whole. */
export function takesNoArguments({ parameters }: Pick<TransitionDefinition, 'parameters'>): boolean {
  const properties = ownMember(parameters && argumentsSchema(parameters), 'properties') ?? {};
  return Object.keys(properties).length === 0;
}

/** Whether a decision without arguments lacks some. */
export function requiresArguments({ parameters }: Pick<TransitionDefinition, 'parameters'> = {}): boolean {
  const required = parameters?.['required'];
  return Array.isArray(required) && required.length > 0;
}
