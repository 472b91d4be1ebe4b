/**
 * Machine definitions: normalize, validate, hash, draw.
 * @packageDocumentation
 * @experimental Names and shapes may change in any minor release before 1.0.
 */
export type { MachineInputOfCode } from '#lib/decisions/registration';
export {
  type DefineMachine,
  type MachineCommand,
  machineDecider,
  type MachineState,
  type MachineVersion,
  machineVersion,
  type MachineDefined,
  type MachineDefinedAgain,
  type MachineEvent,
  machineEventDefinitions,
  argumentsSchema,
  type ArgumentError,
  checkArguments,
  takesNoArguments,
  type DeclaredSpecialist,
  declaredSpecialists,
  isDisabledEverywhere,
  type SpecialistVersions,
  inspectMachine,
  type InvalidArgumentsPolicy,
  type MachineDefinition,
  type MachineInput,
  type ProposingWorkflow,
  type SpecialistDeclaration,
  type StateDefinition,
  type StateInput,
  type TransitionDefinition,
  type TransitionInput,
  type CollapsePolicy,
  type TrustPolicy,
  machineDiagram,
  machineHash,
  isAtRest,
  isEnriched,
  promptOf,
  transitionsOf,
  machineSchema,
  normalizeMachine,
  InvalidMachine,
  validateMachine,
  unknownMachine,
} from '#lib/decisions/machines';
export {
  type MachineInspection,
  type MachineProblem,
  type MachineWarning,
  machineLimits,
  definitionSizeProblem,
} from '#lib/json-schema';
export {
  type Budget,
  budgetSchema,
  engineMember,
  type ModelParameters,
  modelParametersSchema,
  plainParametersSchema,
} from '#lib/call-rules';
