export { type ArbiterCallee, arbiterCallee } from './arbitration-context.js';
export { arbitrationEnd } from './arbitration-end.js';
export { arbitrationRequests } from './arbitration-requests.js';
export { arbitration, type ArbitrationInput, type ArbitrationState } from './arbitration.workflow.js';
