export { callEventDefinitions } from './write-side/call.events.js';
export { RejectionError } from './write-side/rejection-error.js';
