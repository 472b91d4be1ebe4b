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

type Scripted = ScriptedOutcome<SolicitationEvent>;

/**
 * `ladder(start).replies(…)`: the whole history that the workflow makes when its requests are answered by this script, in
 * order. Throws when the script is used up, and when some of it is left over.
 * `ladder(start).answeredBy(outcome)`: the same when every request is answered by one function.
 */
export function ladder(start: LadderStart = {}) {
  return {
    replies: (...script: readonly Scripted[]) => playScript(start, script),
    answeredBy: (outcome: Scripted) => play(start, outcome),
  };
}

function playScript(start: LadderStart, script: readonly Scripted[]): readonly SolicitationEvent[] {
  const left = [...script];
  const events = play(start, (request, signal) => {
    const outcome = left.shift();
    if (!outcome) throw new Error(`The script is used up: nothing answers ${jsonText(request)}.`);
    return outcome(request, signal);
  });
  if (left.length > 0) throw new Error(`The solicitation ended with ${left.length} outcomes left over.`);
  return events;
}

const MOST_EVENTS = 100;

function play(over: LadderStart, outcome: Scripted): readonly SolicitationEvent[] {
  const start = stored(ladderStart(over));
  const events = [start];
  let state = solicitation.initialState(start);
  const take = (event: SolicitationEvent) => {
    const kept = stored(event);
    events.push(kept);
    state = solicitation.evolve(state, kept);
  };
  while (events.length < MOST_EVENTS) {
    const step = solicitation.next(state);
    take(step.kind === 'perform' ? step.request : step.event);
    if (step.kind === 'end') return events;
    const pending = solicitation.pending(state);
    if ((step.kind === 'perform') !== (pending !== undefined))
      throw new Error('Requests, and only they, pend.');
    if (!pending) continue;
    take(answered(outcome, pending));
    if (solicitation.pending(state)) throw new Error(`${pending.type} must be answered now.`);
  }
  throw new Error(`The solicitation goes on after ${MOST_EVENTS} events.`);
}

function answered(outcome: Scripted, request: SolicitationEvent): SolicitationEvent {
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
