export * from './core.js';
export * as peopleOperations from './people.operations.js';
