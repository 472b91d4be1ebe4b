export * from './core.js';
export { type Decision, type AwaitedItem, type InboxItem, Proposal } from './decisions.views.js';
export type { CallMeter } from './call-meters.js';
export { DURATION_BUCKETS_MS } from './duration-buckets.js';
export { Meters, type MeterReadings } from './meters.js';
export * as importOperations from './import-exemplars.operations.js';
export * as monitoringOperations from './monitoring.operations.js';
export type {
  CollapseMetrics,
  MachineAlignment,
  ModelSummary,
  MonitoringSignal,
  SpecialistAlignment,
} from './monitoring.views.js';
export * as providersOperations from './providers.operations.js';
export * as projectionsOperations from './projections.operations.js';
export { Amount } from './monitoring.views.js';
export { Prices } from './prices.js';
