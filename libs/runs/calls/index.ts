export * from './core.js';
export * as callsOperations from './calls.operations.js';
export { unknownCall } from './calls.operations.js';
export { LlmCall, type WebhookCall } from './calls.views.js';
export * as providersOperations from './providers.operations.js';
