export { unknownCall } from './calls.rejections.js';
export { Prices } from './prices.js';
export { WebhookCallBodies } from './webhook-call-bodies.js';
