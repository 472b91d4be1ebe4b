import { ownMember } from '#lib/kernel';
import { isOfSession, summaryOf } from '#lib/summaries';
import type { Paint, Style } from '../io.js';
import type { TimelineEvent } from './session-timeline.js';

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
 * An event as a line: the time since the session began, its type (indented for events of its workflows), and its summary.
 * @param asked the specialist, for an event of a workflow: several may be asked at the same time
 */
export function timelineLine(event: TimelineEvent, elapsedMs: number, paint: Paint, asked?: string): string {
  const elapsed = `${(elapsedMs / 1000).toFixed(3)} s`.padStart(11);
  const type = (isOfSession(event) ? event.type : `  ${event.type}`).padEnd(23);
  const said = `${asked === undefined ? '' : `${asked}: `}${summaryOf(event)}`;
  return `${paint('dim', elapsed)}  ${paint(ownMember(styles, event.type) ?? 'dim', type)}  ${said}`;
}
