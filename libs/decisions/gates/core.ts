export { GateCatalog } from './definition/gate-catalog.js';
export type { GateDefinition, GateInput } from './definition/gate-definition.js';
export { gateMachine, normalizeGate } from './definition/gate-machine.js';
export { gateWarnings, inspectGate } from './definition/inspect-gate.js';
export { gateEventDefinitions } from './gate.events.js';
export { gatesModel } from './gates.read-model.js';
export { Invocations } from './invocation/invocations.js';
