export type { GateDefinition } from './definition/gate-definition.js';
export { gateEventDefinitions } from './gate.events.js';
export { gatesProjection } from './gates.read-model.js';
export type { Gate, GateResult } from './gates.views.js';
