export * from './core.js';
export * as gatesOperations from './gates.operations.js';
export { InvokeGate } from './invocation/invoke-gate.js';
export { type CreatedGate, type Gate, type GateResult, FailureView } from './gates.views.js';
