import type { SessionInspection } from '../inspecting/inspect-session.js';
import { roundLines } from '../timeline/round-lines.js';
import { llmCallLines } from './llm-call-lines.js';
import type { Paint } from './paint.js';
import { historyLines, proposalLines, sessionLines } from './session-lines.js';

/**
 * All parts of a session; empty parts are left out.
 * @param isWhole every event of every round
 */
export function inspectionLines(
  { session, proposals, llmCalls, events }: SessionInspection,
  isWhole: boolean,
  paint: Paint,
): readonly string[] {
  return [
    ...sessionLines(session, paint),
    ...part('History', session.history.length, historyLines(session.history), paint),
    ...part('Proposals', proposals.length, proposalLines(proposals), paint),
    ...part('Calls to models', llmCalls.length, llmCallLines(llmCalls), paint),
    ...part('Timeline', events.length, roundLines(events, isWhole, paint), paint),
  ];
}

function part(title: string, count: number, lines: readonly string[], paint: Paint): readonly string[] {
  return count === 0 ? [] : ['', paint('bold', title), ...lines];
}
