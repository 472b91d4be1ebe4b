import { jsonText, type RecordedEvent } from '#lib/kernel';
import { answerOf, brokenRule, type CallRequest, derivable, type Derived } from './derive.rules.js';
import { evolveRun, type Run } from './run.rules.js';
import type { Step } from './workflow.js';

/** Derived events in a row, without one from outside, that only rules without an end can ask for. */
export const MOST_DERIVED = 1_000;

/** Gives a derived event what a stored one has: id, revision, time. */
type Recorder = (event: Derived['event'], run: Run) => RecordedEvent;

interface Settled<State> {
  readonly run: Run<State>;
  /** The derived events, in order; appended together or not at all. */
  readonly events: readonly RecordedEvent[];
}

/**
 * Derives events until the run waits for something from outside. `admits` says whether a call may be requested now; one that
 * may not is passed by what is allowed to pass it.
 * @throws WorkflowBug when the rules do not come to rest
 */
export function settle<State>(
  from: Run<State>,
  record: Recorder,
  admits: (request: CallRequest) => boolean,
): Settled<State> {
  const events: RecordedEvent[] = [];
  let run = from;
  let answer = answerOf(run);
  for (;;) {
    const derived = derivable(run, answer).find((one) => !isCall(one) || admits(one));
    if (!derived) return { run, events };
    if (events.length === MOST_DERIVED) {
      throw brokenRule(`they ask for more than ${MOST_DERIVED} events in a row`, 'Let them wait or end');
    }
    const event = record(derived.event, run);
    events.push(event);
    run = evolveRun(run, event);
    const next = answerOf(run);
    checkProgress(derived, answer, next);
    answer = next;
  }
}

function isCall(derived: Derived): derived is CallRequest {
  return derived.step?.do === 'call';
}

/** @throws WorkflowBug when a record changes nothing: it would be recorded for ever. */
export function checkProgress({ step }: Derived, before: readonly Step[], after: readonly Step[]): void {
  if (step?.do !== 'record' || jsonText(before) !== jsonText(after)) return;
  const why = `recording ${step.event.type} does not change what they ask for next`;
  throw brokenRule(why, 'Let evolve take note of the event');
}
