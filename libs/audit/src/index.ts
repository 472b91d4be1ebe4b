export { unknownCall } from './calls.operations.js';
export * as callsOperations from './calls.operations.js';
export { LlmCall, type WebhookCall } from './calls.views.js';
export { WebhookCallBodies } from './webhook-call-bodies.js';
