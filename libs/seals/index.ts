export * from './core.js';
export * as sealsOperations from './seals.operations.js';
export { notSealed } from './seals.operations.js';
export { SealProofView } from './seals.views.js';
