import type { ActivityRegistry } from './activity/activity-registry.js';
import { copiedIn } from '#lib/event-store';
import { derivedId, type Event, type Json, type RecordedEvent } from '#lib/kernel';
import { askRules, derivable } from './derive.rules.js';
import { draftEvent } from './draft.rules.js';
import { isExternal, mayRecord } from './run.decider.js';
import { beginRun, evolveRun, type Run } from './run.rules.js';
import type { WorkflowStarted } from './runtime.events.js';
import type { Rules } from './workflow.js';

/** A recorded run, and the parts of it that may differ when it is run again. */
interface RunAgain {
  readonly rules: Rules;
  readonly activities: ActivityRegistry;
  readonly start: RecordedEvent<WorkflowStarted>;
  readonly context: Json | undefined;
  /** The recorded events after the start. */
  readonly recorded: readonly RecordedEvent[];
  /** The outcome that replaces a recorded one. The recorded one answers an open step of this run. */
  outcomeOf(recorded: RecordedEvent, run: Run): Promise<Event>;
  /** Called with each event that the rules derive, the recorded event in its place, and the run after it. */
  derived(event: RecordedEvent, recorded: RecordedEvent | undefined, run: Run): void;
}

/**
 * Runs rules over the recorded outcomes. A step gets the outcome of the recorded step with its id, even if it now asks for something else. The run
 * stays open at a step without a recorded outcome, and where the record ends. Makes no call and writes no event. The events that a fork has copied
 * are taken as they are.
 * @throws WorkflowBug if the rules break their contract
 */
export async function runAgain(again: RunAgain): Promise<Run> {
  const { rules, activities, start, context, recorded } = again;
  // The copies, with the event at which the fork continues by itself.
  const copied = recorded.slice(0, copiedIn([start]));
  let run = copied.reduce(evolveRun, beginRun(rules, activities, start, context));
  let at = copied.length;
  // The loop ends with the record: there are no events to compare the next ones with.
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
    // The record has another event here: it has the step later, or it does not have this run's step at all.
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

/** Gives an event the envelope of the recorded one, or one that follows from the run. */
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
