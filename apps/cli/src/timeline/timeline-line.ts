import type { Paint, Style } from '../format/paint.js';
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
  ContextFailed: 'red',
  StrategyCallFailed: 'red',
  WebhookCallFailed: 'red',
  SolicitationFailed: 'red',
  ProposalFailed: 'red',
  ArbitrationFailed: 'red',
};

/** An event as a line: the time since the session began, its type (what a solicitation does is indented), what it says. */
export function timelineLine(event: TimelineEvent, elapsedMs: number, paint: Paint): string {
  const elapsed = `${(elapsedMs / 1000).toFixed(3)} s`.padStart(11);
  const type = (isOfSession(event) ? event.type : `  ${event.type}`).padEnd(23);
  const said = isOfSession(event) ? describeSessionEvent(event) : describeSolicitationEvent(event);
  return `${paint('dim', elapsed)}  ${paint(styles[event.type] ?? 'dim', type)}  ${said}`;
}

type SessionEventType = Parameters<typeof describeSessionEvent>[0]['type'];

const sessionTypes: { readonly [Type in SessionEventType]: true } = {
  SessionCreated: true,
  ProposalSolicited: true,
  ProposalSubmitted: true,
  ProposalSetAside: true,
  ProposalFailed: true,
  ArbitrationRequested: true,
  ConsensusReached: true,
  ConsensusNotReached: true,
  VerdictSetAside: true,
  ArbitrationFailed: true,
  HumanInputRequested: true,
  HumanOverrideAccepted: true,
  TransitionExecuted: true,
};

function isOfSession(event: TimelineEvent): event is Parameters<typeof describeSessionEvent>[0] {
  return Object.hasOwn(sessionTypes, event.type);
}
