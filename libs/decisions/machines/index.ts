export { argumentsSchema } from './arguments-schema.js';
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
  versionWithMachine,
} from './catalog/machine.events.js';
export {
  type ArgumentError,
  checkArguments,
  requiresArguments,
  takesNoArguments,
} from './check-arguments.js';
export {
  type DeclaredSpecialist,
  declaredSpecialists,
  hasOwnSpecialists,
  isDisabledEverywhere,
  type SpecialistVersions,
} from './declared-specialists.js';
export { inspectMachine, inspectWithoutProof } from './inspect-machine.js';
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
export {
  collapseMembers,
  executionMembers,
  machineMembers,
  specialistMembers,
  transitionMembers,
  trustMembers,
} from './machine-members.js';
export { machineDiagram } from './machine-diagram.js';
export { machineHash } from './machine-hash.js';
export { needsPerson } from './needs-person.js';
export type { DecidingPolicy, TimedTransition } from './deciding-times.js';
export {
  isAtRest,
  isEnriched,
  peopleOf,
  peoplePolicies,
  promptOf,
  timedTransitionsOf,
  transitionsOf,
} from './machine-reading.js';
export { machineSchema, trustSchema } from './machine-schema.js';
export { normalizeMachine } from './normalize-machine.js';
export { type MachineProperty, propertiesSchema, unknownNames } from './prove/property.js';
export { type MachineProof, proveMachine, shownWay } from './prove/prove-machine.js';
export { unknownMachine } from './unknown-machine.js';
export { InvalidMachine, validateMachine } from './validate-machine.js';
