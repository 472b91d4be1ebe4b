/**
 * Machine definitions: normalize, validate, hash, draw.
 * @packageDocumentation
 * @experimental Names and shapes may change in any minor release before 1.0.
 */

export {
  type DefineMachine,
  type MachineCommand,
  machineDecider,
  type MachineState,
  type MachineVersion,
  machineVersion,
} from './catalog/machine.decider.js';
export {
  type MachineDefined,
  type MachineDefinedAgain,
  type MachineEvent,
  machineEventDefinitions,
} from './catalog/machine.events.js';
export { argumentsSchema } from './arguments-schema.js';
export { type ArgumentError, checkArguments, takesNoArguments } from './check-arguments.js';
export {
  type DeclaredSpecialist,
  declaredSpecialists,
  isDisabledEverywhere,
  type SpecialistVersions,
} from './declared-specialists.js';
export { inspectMachine } from './inspect-machine.js';
export type {
  InvalidArgumentsPolicy,
  MachineDefinition,
  MachineInput,
  ProposingWorkflow,
  SpecialistDeclaration,
  StateDefinition,
  StateInput,
  TransitionDefinition,
  TransitionInput,
  CollapsePolicy,
  TrustPolicy,
} from './machine-definition.js';
export { machineDiagram } from './machine-diagram.js';
export { machineHash } from './machine-hash.js';
export type { MachineInspection, MachineProblem, MachineWarning } from './machine-problem.js';
export { isAtRest, isEnriched, promptOf, transitionsOf } from './machine-reading.js';
export { machineSchema } from './machine-schema.js';
export { machineLimits } from './machine-limits.js';
export { type Budget, budgetSchema } from './budget.js';
export {
  engineMember,
  type ModelParameters,
  modelParametersSchema,
  plainParametersSchema,
} from './model-parameters.js';
export { normalizeMachine } from './normalize-machine.js';
export { sizeProblem as definitionSizeProblem } from './size-problem.js';
export { InvalidMachine, validateMachine } from './validate-machine.js';
export { unknownMachine } from './unknown-machine.js';
