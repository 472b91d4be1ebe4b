export { arbitrationEnd } from './arbitration-end.js';
export { arbiterCallee, type ArbitrationRules, arbitrationStart, toldArbiter } from './arbitration-start.js';
export { ARBITRATION_VERSION } from './arbitration-versions.js';
export * from './arbitration.events.js';
export type { ArbitrationState } from './arbitration.state.js';
export { arbitration } from './arbitration.workflow.js';
