import { jsonText } from '#lib/kernel';
import type { ScriptedOutcome } from '#lib/workflow/testing';
import type {
  LlmCallRequested,
  SolicitationEvent,
  SolicitationFailed,
  SolicitationSucceeded,
} from '../solicitation.events.js';
import { solicitation } from '../solicitation.workflow.js';
import { type LadderStart, ladderStart } from './ladder-start.js';

/**
 * `ladder(start).replies(…)`: the whole history that the workflow makes when its requests are answered by this script.
 * Throws when the script is used up, and when some of it is left over.
 */
export function ladder(start: LadderStart = {}) {
  return { replies: (...script: ScriptedOutcome<SolicitationEvent>[]) => play(start, script) };
}

function play(
  over: LadderStart,
  script: readonly ScriptedOutcome<SolicitationEvent>[],
): readonly SolicitationEvent[] {
  const start = stored(ladderStart(over));
  const left = [...script];
  const events = [start];
  let state = solicitation.initialState(start);
  const take = (event: SolicitationEvent) => {
    const kept = stored(event);
    events.push(kept);
    state = solicitation.evolve(state, kept);
  };
  for (;;) {
    const step = solicitation.next(state);
    take(step.kind === 'perform' ? step.request : step.event);
    if (step.kind === 'end') break;
    const pending = solicitation.pending(state);
    if (step.kind === 'append' && pending) throw new Error(`${step.event.type} must leave nothing pending.`);
    if (step.kind === 'append') continue;
    if (!pending) throw new Error(`${step.request.type} must be pending.`);
    take(answered(left.shift(), pending));
    if (solicitation.pending(state)) throw new Error(`${pending.type} must be answered.`);
  }
  if (left.length > 0) throw new Error(`The solicitation ended with ${left.length} outcomes left over.`);
  return events;
}

function answered(
  outcome: ScriptedOutcome<SolicitationEvent> | undefined,
  request: SolicitationEvent,
): SolicitationEvent {
  if (!outcome) throw new Error(`The script is used up: nothing answers ${jsonText(request)}.`);
  const event = outcome(request, new AbortController().signal);
  if (event instanceof Promise) throw new Error('A ladder is played without waiting.');
  return event;
}

/** As a log gives it back. */
function stored(event: SolicitationEvent): SolicitationEvent {
  return JSON.parse(jsonText(event)) as SolicitationEvent;
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
