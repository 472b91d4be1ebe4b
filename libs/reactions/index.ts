export * from './core.js';
export { type DeclaredReaction, OnRedial, reactionsOf } from './on-redial.decorator.js';
export * as reactionsOperations from './reactions.operations.js';
