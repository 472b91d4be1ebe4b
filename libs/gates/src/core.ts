export type { GateDefinition } from './definition/gate-definition.js';
export { isGateMachine } from './definition/gate-machine.js';
export type { Gate } from './gate.decider.js';
export { gateEventDefinitions } from './gate.events.js';
export { gatesProjection } from './gates.read-model.js';
export type { GateResult } from './gates.views.js';
