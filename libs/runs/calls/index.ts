export * from './core.js';
export * as callsOperations from './calls.operations.js';
export { LlmCall, OUTCOMES, type WebhookCall } from './calls.views.js';
export * as providersOperations from './providers.operations.js';
