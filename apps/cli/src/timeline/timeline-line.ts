import type { RecordedEvent } from '#lib/kernel';
import { type SessionEvent, sessionEventDefinitions } from '#lib/session';
import type { Paint, Style } from '../format/paint.js';
import { describeRunEvent, isRunEvent } from './describe-run-event.js';
import { describeSessionEvent } from './describe-session-event.js';
import { describeSolicitationEvent } from './describe-solicitation-event.js';
import type { TimelineEvent } from './timeline-event.js';

const styles: { readonly [Type in TimelineEvent['type']]?: Style } = {
  SessionCreated: 'bold',
  ProposalSubmitted: 'cyan',
  TransitionExecuted: 'green',
  FallbackTaken: 'yellow',
  ProposalSetAside: 'yellow',
  ConsensusReached: 'cyan',
  VerdictSetAside: 'yellow',
  HumanInputRequested: 'yellow',
  HumanOverrideAccepted: 'cyan',
  LlmCallFailed: 'red',
  WebhookCallFailed: 'red',
  ProposalFailed: 'red',
  ArbitrationFailed: 'red',
  FunctionCallFailed: 'red',
};

/**
 * An event as a line: the time since the session began, its type (what a workflow of it does is indented), what it says.
 * @param asked the specialist, for an event of a workflow: several may be asked at the same time
 */
export function timelineLine(event: TimelineEvent, elapsedMs: number, paint: Paint, asked?: string): string {
  const elapsed = `${(elapsedMs / 1000).toFixed(3)} s`.padStart(11);
  const type = (isOfSession(event) ? event.type : `  ${event.type}`).padEnd(23);
  return `${paint('dim', elapsed)}  ${paint(styles[event.type] ?? 'dim', type)}  ${asked === undefined ? '' : `${asked}: `}${said(event)}`;
}

function said(event: TimelineEvent): string {
  if (isOfSession(event)) return describeSessionEvent(event);
  return isRunEvent(event) ? describeRunEvent(event) : describeSolicitationEvent(event);
}

function isOfSession(event: TimelineEvent): event is RecordedEvent<SessionEvent> {
  return Object.hasOwn(sessionEventDefinitions, event.type);
}
