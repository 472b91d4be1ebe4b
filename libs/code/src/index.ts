export * from './core.js';
export * as codeOperations from './iterations.operations.js';
