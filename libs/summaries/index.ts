export type { RunEvent } from './describe-run-event.js';
export type { SolicitationEvent } from './describe-solicitation-event.js';
export { isOfSession, summaryOf } from './event-summary.js';
export { dataAndReason, jsonLine, oneLine, spaced } from './text.js';
export { arrow, choiceText } from './transitions.js';
