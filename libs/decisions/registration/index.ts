export * from './core.js';
export * as machinesOperations from './machines/machines.operations.js';
export * as proveOperations from './machines/prove.operations.js';
export type {
  DeclaredWithFunctions,
  MachineInputOfCode,
  MachineWithFunctions,
} from './machines/machine-functions.js';
export { MachineDefinition, type DefinedMachine, type Machine } from './machines/machines.views.js';
export { Registrar } from './specialists/registrar.js';
export * as specialistReads from './specialists/specialist-reads.operations.js';
export * as specialistsOperations from './specialists/specialists.operations.js';
export { MACHINE_OF_SPECIALIST } from './specialists/specialists.operations.js';
export type { RegisteredSpecialist } from './specialists/specialists.views.js';
