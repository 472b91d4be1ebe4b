import { type Event, type Json, sameJson } from '#lib/kernel';
import { brokenRule } from '../derive.rules.js';
import type { Rules, Seen, Started, Step } from '../workflow.js';
import { Scheduler } from './scheduler.rules.js';
import type { Script } from './script.js';

/** The events of a run after its start, the newest first. */
interface Recorded {
  readonly event: Seen;
  readonly before: Recorded | undefined;
  readonly count: number;
}

/** The state of a run whose rules are a script: its recorded events. */
export interface ScriptState<One extends Script<unknown> = Script<unknown>> {
  readonly run: ScriptedRun<One>;
  readonly recorded: Recorded | undefined;
}

/** The start of a run as its script gets it. */
export interface Given {
  readonly start: Started;
  /** The context from another stream; null if the run uses none. */
  readonly context: Json;
}

type Begin<One> = (given: Given) => One;

/**
 * A run whose rules are a script. The running script is a cache of the record. It gets the events that were recorded since. If it got other events
 * than the recorded ones (of a draft that was not appended, or after a conflict), it is run again from the record.
 */
class ScriptedRun<One extends Script<unknown>> {
  #fed: { readonly scheduler: Scheduler<One>; recorded: Recorded | undefined } | undefined;

  constructor(
    private readonly given: Given,
    private readonly begin: Begin<One>,
  ) {}

  answer(recorded: Recorded | undefined): readonly Step[] {
    return this.#upTo(recorded).answer;
  }

  script(recorded: Recorded | undefined): One {
    return this.#upTo(recorded).script;
  }

  #upTo(recorded: Recorded | undefined): Scheduler<One> {
    const since = this.#fed && between(this.#fed.recorded, recorded);
    const fed = since ? this.#fed : undefined;
    this.#fed = undefined;
    const scheduler = fed?.scheduler ?? this.#begun();
    feed(scheduler, since ?? between(undefined, recorded) ?? []);
    // Not reached after an error: then the script is run again.
    this.#fed = { scheduler, recorded };
    return scheduler;
  }

  /** @throws WorkflowBug if the script, run again from the record, asks for something else */
  check(recorded: Recorded | undefined): void {
    const again = this.#begun();
    feed(again, between(undefined, recorded) ?? []);
    if (sameJson(this.answer(recorded), again.answer)) return;
    const why = 'the script asks for something else when it is run again from the same record';
    throw brokenRule(
      why,
      'Use nothing that changes: `now` and `uuid` in place of the clock and of randomness',
    );
  }

  #begun(): Scheduler<One> {
    const { start, context } = this.given;
    return new Scheduler(start, context, () => this.begin(this.given));
  }
}

/** The events after one up to another one, the oldest first; `undefined` if the first does not come before the other. */
function between(one: Recorded | undefined, other: Recorded | undefined): readonly Seen[] | undefined {
  const events: Seen[] = [];
  let at = other;
  for (; at && at.count > (one?.count ?? 0); at = at.before) events.push(at.event);
  return at === one ? events.toReversed() : undefined;
}

function feed(scheduler: Scheduler, events: readonly Seen[]): void {
  for (const event of events) scheduler.feed(event);
}

/** The script of a run, run to the end of the record. A script may offer more than its steps. */
export function scriptOf<One extends Script<unknown>>({ run, recorded }: ScriptState<One>): One {
  return run.script(recorded);
}

/** A longer record is not checked after each wait. */
const MOST_CHECKED = 1_000;

/** @throws WorkflowBug if the script asks for something else when it is run again: the `check` of rules */
export function checkScript({ run, recorded }: ScriptState): void {
  if ((recorded?.count ?? 0) <= MOST_CHECKED) run.check(recorded);
}

/** Rules that are a script. */
export function scripted<E extends Event = Event, One extends Script<unknown> = Script<unknown>>(
  rules: Omit<Rules<ScriptState<One>, E>, 'asksAgain' | 'startsClocks' | 'initialState' | 'evolve' | 'next'>,
  begin: Begin<One>,
): Rules<ScriptState<One>, E> {
  return {
    ...rules,
    asksAgain: true,
    startsClocks: true,
    initialState: (start, context = null) => ({
      run: new ScriptedRun({ start, context }, begin),
      recorded: undefined,
    }),
    evolve: ({ run, recorded }, event) => ({
      run,
      recorded: { event, before: recorded, count: (recorded?.count ?? 0) + 1 },
    }),
    // The script records only events of its workflow.
    next: ({ run, recorded }) => run.answer(recorded) as readonly Step<E>[],
  };
}
