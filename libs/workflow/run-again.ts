import type { ActivityRegistry } from './activity/activity-registry.js';
import { copiedIn } from '#lib/event-store';
import { derivedId, type Event, type Json, type RecordedEvent } from '#lib/kernel';
import { askRules, derivable } from './derive.rules.js';
import { draftEvent } from './draft.rules.js';
import { isExternal, mayRecord } from './run.decider.js';
import { beginRun, evolveRun, type Run } from './run.rules.js';
import type { WorkflowStarted } from './runtime.events.js';
import type { Rules } from './workflow.js';

/** A recorded run, and what may be otherwise when it is run again. */
interface RunAgain {
  readonly rules: Rules;
  readonly activities: ActivityRegistry;
  readonly start: RecordedEvent<WorkflowStarted>;
  readonly context: Json | undefined;
  /** The events after the start, as they are recorded. */
  readonly recorded: readonly RecordedEvent[];
  /** The outcome in the place of a recorded one that answers an open step of this run. */
  outcomeOf(recorded: RecordedEvent, run: Run): Promise<Event>;
  /** Hears each event that the rules derive, the recorded one in its place, and the run after it. */
  derived(event: RecordedEvent, recorded: RecordedEvent | undefined, run: Run): void;
}

/**
 * Runs rules over the recorded outcomes: a step is answered with the outcome of the recorded step that has its id, whatever it asks for
 * now. The run stays open at a step that the record does not answer, and where the record ends. Nothing is called and nothing is written.
 * The events that a fork has copied are taken as they are.
 * @throws WorkflowBug if the rules break their contract
 */
export async function runAgain(again: RunAgain): Promise<Run> {
  const { rules, activities, start, context, recorded } = again;
  // With the event from which the fork goes on by itself.
  const copied = recorded.slice(0, copiedIn([start]));
  let run = copied.reduce(evolveRun, beginRun(rules, activities, start, context));
  let at = copied.length;
  // The next events of an open run are not recorded, and there is nothing to compare them with.
  for (let next = recorded[at]; next; next = recorded[at]) {
    const candidates = derivable(run, askRules(run)).map(({ event }) => event);
    const [first] = candidates;
    if (isExternal(next, activities)) {
      if (mayRecord(run.steps, next, activities)) {
        run = evolveRun(run, placed(await again.outcomeOf(next, run), next, run));
        at += 1;
        continue;
      }
    } else {
      const match = candidates.find((event) => isSameStep(event, next));
      if (match) {
        run = take(again, match, next, run);
        at += 1;
        continue;
      }
    }
    // The record has something else here: it has the step later, or this run has a step that the record has not.
    const isLater = first && recorded.slice(at).some((event) => isSameStep(first, event));
    if (!first || isLater) at += 1;
    else run = take(again, first, undefined, run);
  }
  return run;
}

function take(again: RunAgain, event: Event, recorded: RecordedEvent | undefined, run: Run): Run {
  const taken = placed(event, recorded, run);
  const after = evolveRun(run, taken);
  again.derived(taken, recorded, after);
  return after;
}

/** With the envelope of the recorded event, or one that follows from the run. */
function placed(event: Event, recorded: RecordedEvent | undefined, { steps, start }: Run): RecordedEvent {
  const revision = steps.revision + 1;
  const { eventId, metadata } = recorded ?? {
    metadata: start.metadata,
    eventId: derivedId(start.eventId, `again ${revision}`),
  };
  return draftEvent(event, { eventId, stream: start.stream, revision, metadata });
}

function isSameStep(one: Event, other: Event): boolean {
  return one.type === other.type && stepOf(one) === stepOf(other);
}

function stepOf({ data }: Event): unknown {
  return 'stepId' in data ? data.stepId : undefined;
}
