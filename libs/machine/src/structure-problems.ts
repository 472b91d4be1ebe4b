import { checkShape } from '#lib/json-schema';
import type { MachineProblem } from './machine-problem.js';
import { machineSchema } from './machine-schema.js';
import { schemaProblem } from './schema-problem.js';

/** In what a value differs from the JSON Schema of machines, in the order of the schema: the first differences, and how many there are. */
export function structureProblems(value: unknown): {
  readonly problems: readonly MachineProblem[];
  readonly count: number;
} {
  const { errors, count } = checkShape(machineSchema, value);
  const own = errors.filter(({ keyword }) => keyword !== 'if');
  return {
    problems: own.map((error) => ({
      ...schemaProblem(error),
      kind: isMalformed(error) ? 'malformed' : 'invalid',
    })),
    count: count - (errors.length - own.length),
  };
}

function isMalformed({ keyword }: { readonly keyword: string }): boolean {
  return keyword === 'type' || keyword === 'additionalProperties';
}
