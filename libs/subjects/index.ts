export * from './core.js';
export * as subjectsOperations from './subjects.operations.js';
