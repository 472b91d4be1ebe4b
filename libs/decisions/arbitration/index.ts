export { arbiterCallee } from './arbitration-context.js';
export { arbitrationEnd, arbitrationRequests, endBefore03 } from './arbitration-requests.js';
export { arbitration, type ArbitrationInput } from './arbitration.workflow.js';
export { ArbiterFunctions, type ArbiterFn, type ArbiterResult } from './functions/arbiter-functions.js';
