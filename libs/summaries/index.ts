export type { RunEvent } from './describe-run-event.js';
export type { SolicitationEvent } from './describe-solicitation-event.js';
export { isOfSession, summarized, type Summarized, summaryOf, withSummary } from './event-summary.js';
export { dataAndReason } from './text.js';
export { arrow, choiceText } from './transitions.js';
