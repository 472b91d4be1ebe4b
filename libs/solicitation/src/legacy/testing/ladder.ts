import { playScript, playWorkflow, type ScriptedOutcome } from '#lib/legacy-workflow/testing';
import type {
  LlmCallRequested,
  SolicitationEvent,
  SolicitationFailed,
  SolicitationSucceeded,
} from '../solicitation.events.js';
import { solicitation } from '../solicitation.workflow.js';
import { type LadderStart, ladderStart } from './ladder-start.js';

type Scripted = ScriptedOutcome<SolicitationEvent>;

/**
 * `ladder(start).replies(…)`: the whole history that the workflow makes when its requests are answered by this script, in
 * order. Throws when the script is used up, and when some of it is left over.
 * `ladder(start).answeredBy(outcome)`: the same when every request is answered by one function.
 */
export function ladder(start: LadderStart = {}) {
  return {
    replies: (...script: readonly Scripted[]) => playScript(solicitation, ladderStart(start), script),
    answeredBy: (outcome: Scripted) => playWorkflow(solicitation, ladderStart(start), outcome),
  };
}

/** The event that ended a history. */
export function endOf(events: readonly SolicitationEvent[]): SolicitationSucceeded | SolicitationFailed {
  const end = events.at(-1);
  if (end?.type === 'SolicitationSucceeded' || end?.type === 'SolicitationFailed') return end;
  throw new Error(`The history has not ended; its last event is ${end?.type}.`);
}

/** The calls of models that a history asked for. */
export function callsOf(events: readonly SolicitationEvent[]): readonly LlmCallRequested['data'][] {
  return events.flatMap((event) => (event.type === 'LlmCallRequested' ? [event.data] : []));
}

/** Which steps down the ladder a history took, in words: `tools → decision: no-tool-call`. */
export function fallbacksOf(events: readonly SolicitationEvent[]): readonly string[] {
  return events.flatMap((event) =>
    event.type === 'FallbackTaken' ? [`${event.data.from} → ${event.data.to}: ${event.data.reason}`] : [],
  );
}
