import { type Event, jsonText } from '#lib/kernel';
import type { Workflow } from '../workflow.js';
import type { ScriptedOutcome } from './scripted-activities.js';

const MOST_EVENTS = 100;

/**
 * The whole history that a workflow makes from its start event when this answers its requests, each event as a log gives it
 * back. Throws when requests and what pends do not fit together, and when there is no end to it.
 */
export function playWorkflow<State, E extends Event>(
  workflow: Workflow<State, E>,
  startEvent: E,
  outcome: ScriptedOutcome<E>,
): readonly E[] {
  const start = stored(startEvent);
  const events = [start];
  let state = workflow.initialState(start);
  const take = (event: E) => {
    const kept = stored(event);
    events.push(kept);
    state = workflow.evolve(state, kept);
  };
  while (events.length < MOST_EVENTS) {
    const step = workflow.next(state);
    take(step.kind === 'perform' ? step.request : step.event);
    if (step.kind === 'end') return events;
    const pending = workflow.pending(state);
    if ((step.kind === 'perform') !== (pending !== undefined))
      throw new Error('Requests, and only they, pend.');
    if (!pending) continue;
    take(answered(outcome, pending));
    if (workflow.pending(state)) throw new Error(`${pending.type} must be answered now.`);
  }
  throw new Error(`The ${workflow.name} goes on after ${MOST_EVENTS} events.`);
}

/** As `playWorkflow`, answered by a script, in order. Throws when it is used up, and when some of it is left over. */
export function playScript<State, E extends Event>(
  workflow: Workflow<State, E>,
  start: E,
  script: readonly ScriptedOutcome<E>[],
): readonly E[] {
  const left = [...script];
  const events = playWorkflow(workflow, start, (request, signal) => {
    const outcome = left.shift();
    if (!outcome) throw new Error(`The script is used up: nothing answers ${jsonText(request)}.`);
    return outcome(request, signal);
  });
  if (left.length > 0) throw new Error(`The ${workflow.name} ended with ${left.length} outcomes left over.`);
  return events;
}

function answered<E extends Event>(outcome: ScriptedOutcome<E>, request: E): E {
  const event = outcome(request, new AbortController().signal);
  if (event instanceof Promise) throw new Error('A history is played without waiting.');
  return event;
}

function stored<E extends Event>(event: E): E {
  return JSON.parse(jsonText(event)) as E;
}
