import type { Seen, Step } from '../workflow.js';
import { NotDerived } from '../unit-allowance.js';
import {
  Answer,
  Ask,
  type Branches,
  type Closed,
  type Making,
  type Place,
  type Script,
  type Steps,
} from './script.js';

export type Settled = { readonly value: unknown } | { readonly error: unknown };

/** A step that a branch waits for. */
export interface Leaf {
  readonly step: Step;
  /** Makes the step again for each answer, until it is opened. */
  readonly make?: () => Step;
  /** The event that opened the step, once that event is recorded. */
  opening?: Seen | undefined;
  /** Takes the outcome of the step. */
  close: (closed: Closed) => void;
}

/** A condition that a branch waits for. */
export class Condition {
  constructor(
    readonly holds: () => boolean,
    readonly go: () => void,
  ) {}
}

/** The part of the scheduler that the branches of its run use. */
export interface Host {
  /** @throws the error that ends the whole script */
  step<Result>(work: () => Result): Result;
  place(fiber: Fiber): Place;
  /** @throws WorkflowBug */
  open(fiber: Fiber, step: Making, close: Leaf['close']): Leaf;
  /** Counts the branches that wait for a condition instead of an event. */
  waiting(count: 1 | -1): void;
  /** Lets go of a step. True if its outcome comes in any case: the step is a call. */
  abandon(leaf: Leaf): boolean;
  /** @throws WorkflowBug */
  broken(path: string, why: string, fix: string): never;
}

/** One branch of a script. */
export class Fiber {
  readonly #steps: Steps<unknown>;
  /** The number of names given at this path, by kind. */
  readonly counts = new Map<string, number>();
  #waitsFor: Leaf | Group | Condition | undefined;

  /** @param path ends with `/`; the root's path is empty */
  constructor(
    private readonly host: Host,
    readonly path: string,
    /** No call may be made in the branch, because a call cannot be cancelled. */
    readonly onlyWaits: boolean,
    script: Script<unknown>,
    private readonly over: (settled: Settled) => void,
    private readonly group?: Group,
  ) {
    this.#steps = script[Symbol.iterator]();
  }

  start(): void {
    this.#go(() => this.#steps.next(new Answer(undefined)));
  }

  /** Adds the steps that the branch waits for, in the order of its own branches. */
  leaves(into: Leaf[]): void {
    const waited = this.#waitsFor;
    if (waited instanceof Group) waited.leaves(into);
    else if (waited && !(waited instanceof Condition)) into.push(waited);
  }

  /** The condition of its first branch that may continue. */
  next(): Condition | undefined {
    const waited = this.#waitsFor;
    if (waited instanceof Group) return waited.next();
    return waited instanceof Condition && waited.holds() ? waited : undefined;
  }

  /** Stops the branch. @returns calls whose outcomes come in any case */
  abandon(): readonly Leaf[] {
    const calls = this.#letGo(this.#waitsFor);
    this.#waitsFor = undefined;
    const { done } = this.host.step(() => this.#steps.return(undefined));
    if (!done)
      this.host.broken(this.path, 'a cancelled branch yields in `finally`', 'Let `finally` ask for nothing');
    return calls;
  }

  #letGo(waited: Leaf | Group | Condition | undefined): readonly Leaf[] {
    if (waited instanceof Group) return waited.abandon();
    if (!(waited instanceof Condition)) return waited && this.host.abandon(waited) ? [waited] : [];
    this.host.waiting(-1);
    return [];
  }

  #resume(settled: Settled): void {
    this.#waitsFor = undefined;
    this.#go(() =>
      'error' in settled ? this.#steps.throw(settled.error) : this.#steps.next(new Answer(settled.value)),
    );
  }

  #go(next: () => IteratorResult<Ask, unknown>): void {
    for (let go = next; ;) {
      const result = this.#step(go);
      if ('settled' in result) return this.over(result.settled);
      const answer = this.#answer(result.ask);
      if (!answer) return;
      go = () =>
        'error' in answer ? this.#steps.throw(answer.error) : this.#steps.next(new Answer(answer.value));
    }
  }

  #step(go: () => IteratorResult<Ask, unknown>): { readonly settled: Settled } | { readonly ask: Ask } {
    return this.host.step(() => {
      try {
        const { done, value } = go();
        return done ? { settled: { value } } : { ask: value };
      } catch (error) {
        // No other branch changes that. The run stays as it is recorded.
        if (error instanceof NotDerived) throw error;
        return { settled: { error } };
      }
    });
  }

  /** `undefined` if the branch waits. */
  #answer(ask: Ask): Settled | undefined {
    if (!(ask instanceof Ask))
      return this.host.broken(this.path, 'it yields something else than a helper', 'Write `yield*`');
    const request = Ask.request(ask);
    switch (request.ask) {
      case 'place':
        return { value: this.host.place(this) };
      case 'step':
        this.#waitsFor = this.host.open(this, request.step, (closed) => this.#resume({ value: closed }));
        return undefined;
      case 'beside':
        this.group?.add(request.script);
        return { value: undefined };
      case 'until':
        return this.#until(request.holds);
      case 'branches':
        return this.#branches(request.branches);
    }
  }

  #until(holds: () => boolean): Settled | undefined {
    if (holds()) return { value: undefined };
    this.host.waiting(1);
    this.#waitsFor = new Condition(holds, () => {
      this.host.waiting(-1);
      this.#resume({ value: undefined });
    });
    return undefined;
  }

  #branches(branches: Branches): Settled | undefined {
    const group = new Group(this.host, branches, this.onlyWaits, (settled) => this.#resume(settled));
    const settled = group.start();
    if (!settled) this.#waitsFor = group;
    return settled;
  }
}

/** Branches beside each other. */
class Group {
  readonly #scripts: Branches['scripts'][number][];
  readonly #live = new Map<number, Fiber>();
  readonly #values: { readonly index: number; readonly value: unknown }[] = [];
  /** Calls of branches that were abandoned. */
  #calls = new Set<Leaf>();
  #failed: { readonly error: unknown } | undefined;
  #isStarting = true;
  #isBeginning = false;
  /** The number of branches that were begun. */
  #begun = 0;
  #settled: Settled | undefined;

  constructor(
    private readonly host: Host,
    private readonly branches: Branches,
    private readonly onlyWaits: boolean,
    private readonly over: (settled: Settled) => void,
  ) {
    this.#scripts = [...branches.scripts];
  }

  add(script: Script<unknown>): void {
    this.#scripts.push({ script });
    if (!this.#isBeginning) this.#begin();
  }

  /** @returns the result, if the branches end without waiting */
  start(): Settled | undefined {
    this.#begin();
    if (this.#scripts.length === 0) this.#settled = { value: [] };
    this.#isStarting = false;
    return this.#settled;
  }

  /** Begins branches in their order, as many as may run at once. */
  #begin(): void {
    const { atMost = Infinity } = this.branches;
    this.#isBeginning = true;
    while (
      this.#begun < this.#scripts.length &&
      this.#live.size < atMost &&
      !(this.#settled ?? this.#failed)
    ) {
      const index = this.#begun++;
      const fiber = this.#fiber(index);
      this.#live.set(index, fiber);
      fiber.start();
    }
    this.#isBeginning = false;
  }

  #fiber(index: number): Fiber {
    const { path, until } = this.branches;
    const { key, script } = this.#scripts[index] as Branches['scripts'][number];
    const below = key === undefined ? `${path}/` : `${path}/${key}/`;
    const onlyWaits = this.onlyWaits || until === 'first';
    const over = (settled: Settled) => this.#ended(index, settled);
    return new Fiber(this.host, below, onlyWaits, script, over, this);
  }

  leaves(into: Leaf[]): void {
    for (const fiber of this.#live.values()) fiber.leaves(into);
  }

  next(): Condition | undefined {
    for (const fiber of this.#live.values()) {
      const found = fiber.next();
      if (found) return found;
    }
    return undefined;
  }

  abandon(): readonly Leaf[] {
    return [...this.#calls, ...this.#abandonLive()];
  }

  #abandonLive(): readonly Leaf[] {
    const fibers = [...this.#live.values()];
    this.#live.clear();
    return fibers.flatMap((fiber) => fiber.abandon());
  }

  #ended(index: number, settled: Settled): void {
    this.#live.delete(index);
    if ('error' in settled) return this.#fail(settled);
    this.#values.push({ index, value: settled.value });
    const isOver = this.branches.until === 'first' || this.#values.length === this.#scripts.length;
    if (!isOver) return this.#isBeginning ? undefined : this.#begin();
    this.#abandonLive();
    this.#settle({ value: this.#values.toSorted((one, other) => one.index - other.index) });
  }

  /** Takes the first failure. It is thrown once no call is open. */
  #fail(failed: { readonly error: unknown }): void {
    this.#failed = failed;
    this.#calls = new Set(this.#abandonLive());
    for (const leaf of this.#calls) leaf.close = () => this.#closed(leaf);
    if (this.#calls.size === 0) this.#settle(failed);
  }

  #closed(leaf: Leaf): void {
    this.#calls.delete(leaf);
    if (this.#calls.size === 0) this.#settle(this.#failed as Settled);
  }

  #settle(settled: Settled): void {
    this.#settled = settled;
    if (!this.#isStarting) this.over(settled);
  }
}
