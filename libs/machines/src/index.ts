export { MachineCatalog } from './machine-catalog.js';
export { MachineDefinition, type Machine } from './machines.views.js';
export * as machinesOperations from './machines.operations.js';
