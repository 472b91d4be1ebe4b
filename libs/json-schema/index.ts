export { checkShape, checkValue, type Findings } from './check-value.js';
export { closedSchema } from './closed-schema.js';
export { DefinitionSchemas } from './definition-schemas.js';
export { errorsText, type SchemaError } from './errors.js';
export { impossibleAt } from './impossible.js';
export { inspectSchema, problemsOfSchemas } from './inspect-schema.js';
export { machineLimits, sizeProblem as definitionSizeProblem, sizeProblem } from './size-problem.js';
export type { MachineInspection, MachineProblem, MachineWarning, FoundProblem } from './machine-problem.js';
export { schemaProblem } from './schema-problem.js';
