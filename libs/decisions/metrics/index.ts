export * from './core.js';
export { type AwaitedItem, type InboxItem, Proposal } from './decisions.views.js';
export * as decisionDaysOperations from './decision-days.operations.js';
export * as importOperations from './import-exemplars.operations.js';
export * as monitoringOperations from './monitoring.operations.js';
export {
  type CollapseMetrics,
  type MachineAlignment,
  type MonitoringSignal,
  type SpecialistAlignment,
  Amount,
} from './monitoring.views.js';
export * as projectionsOperations from './projections.operations.js';
