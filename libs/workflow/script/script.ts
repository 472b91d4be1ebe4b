import type { Json } from '#lib/kernel';
import type { RunFork } from '../forks/forked-run.rules.js';
import type { Seen, Started, Step } from '../workflow.js';
import { type Made, Watch } from './running.js';

/** A request of a script to its scheduler. */
export type Request =
  | { readonly ask: 'place' }
  /** Waits until the step's outcome is in the log. */
  | { readonly ask: 'step'; readonly step: Making }
  | { readonly ask: 'branches'; readonly branches: Branches }
  | { readonly ask: 'beside'; readonly script: Script<unknown> }
  | { readonly ask: 'until'; readonly holds: () => boolean };

/** A step, or a function that makes it. The function is called for each answer until the step is opened, and gives the same id each time. */
export type Making = Step | (() => Step);

/** Scripts that run side by side, in this order. */
export interface Branches {
  /** The branch `key` has the path `<path>/<key>/`; without a key, `<path>/`. */
  readonly path: string;
  readonly scripts: readonly { readonly key?: string; readonly script: Script<unknown> }[];
  /** `all` waits for all results, `first` only for the first one. */
  readonly until: 'all' | 'first';
  /** The most branches that run at once: the next one begins when one ends. Default: all. */
  readonly atMost?: number;
}

/** The place of a script in its run. */
export interface Place {
  readonly start: Started;
  /** Ids follow from it. In a fork that continues by itself it is the id of the fork, and not of the run that `start` names. */
  readonly runId: string;
  /** The fork that the run works for now. */
  readonly fork: RunFork | undefined;
  /** The context from another stream; null if the run uses none. */
  readonly context: Json;
  /** The time of the event after which the script continues: ISO 8601, UTC. */
  readonly now: string;
  /** The events that opened the steps of the run so far, in their order. */
  readonly opened: readonly Seen[];
  /** The event that opened a step; `undefined` before that, and once the step is closed. */
  openingOf(stepId: string): Seen | undefined;
  /** The number of clocks that were asked for this wait. */
  clockRequestsFor(stepId: string): number;
  /**
   * Sets the end of the run if it is cancelled from here on: this result, or the `RunFails` that is thrown. Without it, a cancelled run has no
   * result.
   */
  endWhenCancelled(end: (cancel: Seen) => Json): void;
  /** The id of the next step or part: the path of the script, then `id`, else the kind and a number. @throws WorkflowBug if the id is taken */
  name(kind: string, id?: string): string;
  /** Ends the script with an error that it cannot catch. @throws WorkflowBug */
  broken(why: string, fix: string): never;
}

/** The events of a step. */
export interface Closed {
  /** The event that opened the step; absent for a record. */
  readonly opening?: Seen;
  /** The outcome; for a record, the recorded event itself. */
  readonly event: Seen;
}

/** The values that a script yields. Only helpers make them. */
export class Ask {
  readonly #request: Request;

  constructor(request: Request) {
    this.#request = request;
  }

  static request(ask: Ask): Request {
    return ask.#request;
  }
}

/** The answer of the scheduler to an `Ask`. */
export class Answer {
  readonly #value: unknown;

  constructor(value: unknown) {
    this.#value = value;
  }

  static value(answer: Answer): unknown {
    return answer.#value;
  }
}

/** A script that runs. */
export type Steps<Result> = Generator<Ask, Result, Answer>;

/**
 * A part of a workflow in direct style: it yields helpers and other scripts with `yield*`, and continues with their results. It is run again from the
 * record of its run, so it must be deterministic: it uses no clock, no randomness, and no values from outside but those of helpers.
 */
export interface Script<Result> {
  [Symbol.iterator](): Steps<Result>;
}

declare const cancellable: unique symbol;

/** A script that only waits: for a time, a signal, a person, a child. It can be cancelled. */
export interface Open<Result> extends Script<Result> {
  readonly [cancellable]: true;
}

/** The form of an id that a script gives. The characters that join the parts of a path are not allowed. */
export const ID = /^[\w.:-]{1,64}$/;

/** The place of a step in its run, if the script names it. Letters, digits and `_ . : -`, at most 64. */
export interface Named {
  readonly id?: string;
}

type Function = (...args: never[]) => unknown;

/** A script that knows the line that made it. Making one without running it is a mistake. */
class Helper<Result> implements Script<Result>, Made {
  readonly #stack: { readonly stack?: string } = {};

  constructor(
    readonly name: string,
    maker: Function,
    private readonly begin: () => Steps<Result>,
  ) {
    const { current } = Watch;
    if (!current) return;
    current.made.add(this);
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 1;
    Error.captureStackTrace(this.#stack, maker);
    Error.stackTraceLimit = stackTraceLimit;
  }

  get line(): string | undefined {
    return /[^\s()]+:\d+:\d+(?=\)?$)/.exec(this.#stack.stack ?? '')?.[0];
  }

  [Symbol.iterator](): Steps<Result> {
    taken(this);
    return this.begin();
  }
}

class Waiting<Result> extends Helper<Result> implements Open<Result> {
  declare readonly [cancellable]: true;
}

/**
 * A helper.
 * @param maker the function that scripts call
 * @param about tells apart the calls of the maker
 */
export function helper<Result>(maker: Function, begin: () => Steps<Result>, about = ''): Script<Result> {
  return new Helper(`${maker.name}(${about})`, maker, begin);
}

/** A helper that only waits. */
export function waiting<Result>(maker: Function, begin: () => Steps<Result>): Open<Result> {
  return new Waiting(`${maker.name}()`, maker, begin);
}

export function isOpen(script: Script<unknown>): script is Open<unknown> {
  return script instanceof Waiting;
}

/** Marks a script as run, because another script runs it. */
export function taken(script: Script<unknown>): void {
  if (script instanceof Helper) Watch.current?.made.delete(script);
}

export function* here(): Steps<Place> {
  return Answer.value(yield new Ask({ ask: 'place' })) as Place;
}

/** Does one step, and waits for its outcome. If the run is forked while a call is open, `WorkflowForked` closes the call: see `done`. */
export function* opened(step: Making): Steps<Closed> {
  return Answer.value(yield new Ask({ ask: 'step', step })) as Closed;
}

/** Gives the results of all branches, in order, or the index of the first branch to end and its result. The first failure is thrown. */
export function* branched(
  branches: Branches,
): Steps<readonly { readonly index: number; readonly value: unknown }[]> {
  for (const { script } of branches.scripts) taken(script);
  const found = Answer.value(yield new Ask({ ask: 'branches', branches }));
  return found as readonly { readonly index: number; readonly value: unknown }[];
}

/** Adds a branch to the branches that the script is one of. They are over when all have ended. */
export function* beside(script: Script<unknown>): Steps<void> {
  taken(script);
  yield new Ask({ ask: 'beside', script });
}

/** Waits until the condition holds. Other branches make it hold; it is checked after each event. */
export function* until(holds: () => boolean): Steps<void> {
  yield new Ask({ ask: 'until', holds });
}
