import { Ajv2020 } from 'ajv/dist/2020.js';
import type { ErrorObject, ValidateFunction } from 'ajv';
import type { MachineProblem } from './machine-problem.js';
import { machineSchema } from './machine-schema.js';
import { schemaProblem } from './schema-problem.js';

let compiled: ValidateFunction | undefined;

/** Compiled for the first machine: it takes long, and who only looks at a log needs none. */
function validator(): ValidateFunction {
  compiled ??= new Ajv2020({
    allErrors: true,
    ownProperties: true,
    allowUnionTypes: true,
    strictRequired: false,
  }).compile(machineSchema);
  return compiled;
}

/** Everything in which a value differs from the JSON Schema of machines, in the order of the schema. */
export function structureProblems(value: unknown): MachineProblem[] {
  const validate = validator();
  validate(value);
  return (validate.errors ?? []).filter(isOwnFinding).map((error) => ({
    ...schemaProblem(error),
    kind: isMalformed(error) ? 'malformed' : 'invalid',
  }));
}

/** `if` and `propertyNames` report twice: what their parts found, and that their parts found something. */
function isOwnFinding(error: ErrorObject): boolean {
  return error.keyword !== 'if' && error.propertyName === undefined;
}

function isMalformed({ keyword }: ErrorObject): boolean {
  return keyword === 'type' || keyword === 'additionalProperties';
}
