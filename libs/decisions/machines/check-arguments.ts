import { checkValue, type Findings } from '#lib/json-schema';
import { type JsonObject, ownMember } from '#lib/kernel';
import { argumentsSchema } from './arguments-schema.js';
import type { TransitionDefinition } from './machine-definition.js';

export type { SchemaError as ArgumentError } from '#lib/json-schema';

const FITTING: Findings = { errors: [], count: 0 };
const NO_OBJECT: Findings = { errors: [{ path: '', keyword: 'type', params: { type: 'object' } }], count: 1 };

/**
 * The errors of arguments against a transition's `parameters`: the first 20, and their number. Bounded and deterministic; never
 * throws. Absent arguments are `{}`. A value that is not a JSON object never fits, even without parameters.
 */
export function checkArguments(
  { parameters }: Pick<TransitionDefinition, 'parameters'>,
  args: JsonObject | 'malformed' = {},
): Findings {
  if (args === 'malformed') return NO_OBJECT;
  return parameters ? checkValue(argumentsSchema(parameters), args) : FITTING;
}

/** Whether a transition's tool has no arguments: then a call with an empty text is complete. */
export function takesNoArguments({ parameters }: Pick<TransitionDefinition, 'parameters'>): boolean {
  const properties = ownMember(parameters && argumentsSchema(parameters), 'properties') ?? {};
  return Object.keys(properties).length === 0;
}

/** Whether a decision without arguments lacks required ones. */
export function requiresArguments({ parameters }: Pick<TransitionDefinition, 'parameters'> = {}): boolean {
  const required = parameters?.['required'];
  return Array.isArray(required) && required.length > 0;
}
