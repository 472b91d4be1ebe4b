export * from './core.js';
export { GateCatalog } from './definition/gate-catalog.js';
export { InvokeGate } from './gates.operations.js';
export * as gatesOperations from './gates.operations.js';
export { type CreatedGate, FailureView, type Gate, type GateResult } from './gates.views.js';
export { Invocations } from './invocation/invocations.js';
