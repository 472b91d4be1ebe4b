export { personText } from './describe-session-event.js';
export type { RunEvent } from './describe-run-event.js';
export type { SolicitationEvent } from './describe-solicitation-event.js';
export { eventNamed, placeNamed } from './event-named.js';
export {
  isOfSession,
  type ShownData,
  summarized,
  type Summarized,
  summaryOf,
  wholePage,
  withSummary,
} from './event-summary.js';
export { leanEvent } from './lean-event.js';
export { dataAndReason, arrow, choiceText } from './text.js';
