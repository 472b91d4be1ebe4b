import type { Json } from '#lib/kernel';
import type { RunFork } from '../forks/forked-run.rules.js';
import type { Seen, Started, Step } from '../workflow.js';
import { type Made, Watch } from './running.js';

/** A request of a script to its scheduler. */
export type Request =
  | { readonly ask: 'place' }
  /** Until its outcome is in the log. */
  | { readonly ask: 'step'; readonly step: Making }
  | { readonly ask: 'branches'; readonly branches: Branches }
  | { readonly ask: 'beside'; readonly script: Script<unknown> }
  | { readonly ask: 'until'; readonly holds: () => boolean };

/** A step, or its maker: it is called for each answer until the step is opened, and gives the same id each time. */
export type Making = Step | (() => Step);

/** Scripts that run beside each other, in this order. */
export interface Branches {
  /** Branch `key` has the path `<path>/<key>/`; without a key, `<path>/`. */
  readonly path: string;
  readonly scripts: readonly { readonly key?: string; readonly script: Script<unknown> }[];
  /** All results are waited for, or the first outcome alone. */
  readonly until: 'all' | 'first';
  /** How many run at once: the next one begins when one ends. Default: all. */
  readonly atMost?: number;
}

/** Where a script is. */
export interface Place {
  readonly start: Started;
  /** Ids follow from it. In a fork that goes on by itself it is the fork, and not the run that `start` names. */
  readonly runId: string;
  /** The fork that the run works for now. */
  readonly fork: RunFork | undefined;
  /** Of another stream; null if the run uses none. */
  readonly context: Json;
  /** The time of the event after which the script goes on: ISO 8601, UTC. */
  readonly now: string;
  /** The events that opened the steps of the run so far, in their order. */
  readonly opened: readonly Seen[];
  /** The event that opened a step; `undefined` before, and once the step is closed. */
  openingOf(stepId: string): Seen | undefined;
  /** How many clocks were asked for a wait. */
  clockRequestsFor(stepId: string): number;
  /** How the run ends if it is cancelled from here on: with this result, or the `RunFails` that is thrown. Without it, the script gives nothing then. */
  endWhenCancelled(end: (cancel: Seen) => Json): void;
  /**
   * The id of what comes next: the path of the script, then `id`, else the kind and a number.
   * @throws WorkflowBug if the id is taken
   */
  name(kind: string, id?: string): string;
  /** Ends the script as wrong, even if it catches that. @throws WorkflowBug */
  broken(why: string, fix: string): never;
}

/** The events of a step. */
export interface Closed {
  /** The one that opened it; of a record, none. */
  readonly opening?: Seen;
  /** The outcome; of a record, the event itself. */
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
 * A part of a workflow in direct style: it yields helpers and other scripts with `yield*`, and goes on with their results. It is run
 * again from the record of its run, so it must be deterministic: no clock, no randomness, nothing from outside but what helpers give.
 */
export interface Script<Result> {
  [Symbol.iterator](): Steps<Result>;
}

declare const cancellable: unique symbol;

/** A script that only waits: for a time, a signal, a person, a child. It can be cancelled. */
export interface Open<Result> extends Script<Result> {
  readonly [cancellable]: true;
}

/** The form of an id that a script gives: it has none of the characters that join the parts of a path. */
export const ID = /^[\w.:-]{1,64}$/;

/** The place of a step in its run, where the script names it. Letters, digits and `_ . : -`, at most 64. */
export interface Named {
  readonly id?: string;
}

type Function = (...args: never[]) => unknown;

/** A script that knows the line which made it: it is a mistake to make one and not to run it. */
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

/** A helper. @param maker the function that scripts call @param about tells its calls apart */
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

/** Another script runs this one. */
export function taken(script: Script<unknown>): void {
  if (script instanceof Helper) Watch.current?.made.delete(script);
}

export function* here(): Steps<Place> {
  return Answer.value(yield new Ask({ ask: 'place' })) as Place;
}

/** Does one step, and waits for its outcome. A call that is open when its run is forked is closed by `WorkflowForked`: see `done`. */
export function* opened(step: Making): Steps<Closed> {
  return Answer.value(yield new Ask({ ask: 'step', step })) as Closed;
}

/** The results of all, in order, or the index of the first and its result. The first failure is thrown. */
export function* branched(
  branches: Branches,
): Steps<readonly { readonly index: number; readonly value: unknown }[]> {
  for (const { script } of branches.scripts) taken(script);
  const found = Answer.value(yield new Ask({ ask: 'branches', branches }));
  return found as readonly { readonly index: number; readonly value: unknown }[];
}

/** Adds a branch after those that the script is one of: they are over when all are. */
export function* beside(script: Script<unknown>): Steps<void> {
  taken(script);
  yield new Ask({ ask: 'beside', script });
}

/** Waits until this holds, which other branches bring about. It is asked after each event. */
export function* until(holds: () => boolean): Steps<void> {
  yield new Ask({ ask: 'until', holds });
}
