export { GateCatalog } from './definition/gate-catalog.js';
export type { GateDefinition } from './definition/gate-definition.js';
export { gateEventDefinitions } from './gate.events.js';
export { gatesModel } from './gates.read-model.js';
export { Invocations } from './invocation/invocations.js';
