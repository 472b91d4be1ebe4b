export * from './core.js';
export * as taskOperations from './tasks.operations.js';
