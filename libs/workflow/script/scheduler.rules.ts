import { type Json, RedialError } from '#lib/kernel';
import { WorkflowBug } from '../derive.rules.js';
import { forkAtStart, forkFrom, isForked, type RunFork } from '../forks/forked-run.rules.js';
import type { WorkflowForked } from '../forks/fork.events.js';
import type { ClockRequested } from '../runtime.events.js';
import type { Seen, Started, Step } from '../workflow.js';
import { RunFails, StepFailed } from './failures.js';
import { type Condition, Fiber, type Host, type Leaf, type Settled } from './fiber.js';
import { Watch } from './running.js';
import { ID, type Making, type Place, type Script } from './script.js';

/** The most requests of a script in a row without a wait. More are taken for an endless loop. */
const MOST_ASKS = 100_000;

/** Events of the run as a whole, or of a wait that stays open: a script does not continue after them. */
const PASSED: ReadonlySet<string> = new Set([
  'ChoiceGiven',
  'RunCancelRequested',
  'WorkflowEnded',
  'WorkflowGivenUp',
]);

/** The run of one script. It gets the events of its run, one by one, and gives the steps that are to be opened. */
export class Scheduler<One extends Script<unknown> = Script<unknown>> implements Host {
  readonly #watch = new Watch();
  #script: One | undefined;
  #root: Fiber | undefined;
  /** Open steps, by id. */
  readonly #leaves = new Map<string, Leaf>();
  /** Records that are not in the log yet. */
  readonly #records = new Set<Leaf>();
  /** Ids of all steps so far. */
  readonly #steps = new Set<string>();
  readonly #names = new Set<string>();
  /** Branches that wait for a condition. */
  #waiting = 0;
  /** Ids of the open steps of branches that were cancelled. */
  readonly #cancels = new Set<string>();
  readonly #opened: Seen[] = [];
  /** The number of clocks that were asked for, by the id of the wait. */
  readonly #clockRequests = new Map<string, number>();
  #whenCancelled: ((cancel: Seen) => Json) | undefined;
  #now: string;
  #runId: string;
  #fork: RunFork | undefined;
  #asks = 0;
  #end: readonly Step[] | undefined;

  constructor(
    private readonly start: Started,
    private readonly context: Json,
    begin: () => One,
  ) {
    this.#now = start.occurredAt;
    this.#runId = start.runId;
    this.#fork = forkAtStart(start.data);
    this.#run(() => {
      this.#script = this.step(begin);
      // TypeScript refuses such a script; plain JavaScript does not.
      if (!(Symbol.iterator in Object(this.#script)))
        this.broken('', 'it is no generator', 'Write `function*`, which is not `async`');
      this.#root = new Fiber(this, '', false, this.#script, (settled) => this.#over(settled));
      this.#root.start();
    });
  }

  get script(): One {
    return this.#script as One;
  }

  /** All steps that are to be opened or recorded now, in the order of the branches. Cancellations come first. */
  get answer(): readonly Step[] {
    if (this.#end) return this.#end;
    const leaves: Leaf[] = [];
    this.#root?.leaves(leaves);
    const steps: Step[] = [];
    for (const id of this.#cancels) steps.push({ do: 'cancel', id });
    for (const { opening, step, make } of leaves) if (!opening) steps.push(make?.() ?? step);
    return steps;
  }

  /** @throws WorkflowBug. An error of the script that is neither `RunFails` nor `StepFailed` is its `cause` */
  feed(event: Seen): void {
    if (this.#end) return;
    const end = event.type === 'RunCancelRequested' ? this.#whenCancelled : undefined;
    if (end) this.#run(() => this.#over({ value: end(event) }));
    if (PASSED.has(event.type)) return;
    this.#now = event.occurredAt;
    this.#run(() => this.#take(event));
  }

  step<Result>(work: () => Result): Result {
    const result = this.#watch.run(work);
    if (this.#watch.ended) throw this.#watch.ended.error;
    return result;
  }

  place(fiber: Fiber): Place {
    const { path } = fiber;
    this.#asks++;
    if (this.#asks > MOST_ASKS)
      this.broken(path, 'it asks without an end and never waits', 'Let it wait or end');
    const runId = () => this.#runId;
    const fork = () => this.#fork;
    return {
      start: this.start,
      get runId() {
        return runId();
      },
      get fork() {
        return fork();
      },
      context: this.context,
      now: this.#now,
      opened: this.#opened,
      openingOf: (stepId) => this.#leaves.get(stepId)?.opening,
      clockRequestsFor: (stepId) => this.#clockRequests.get(stepId) ?? 0,
      endWhenCancelled: (end) => {
        this.#whenCancelled = end;
      },
      name: (kind, id) => this.#name(fiber, kind, id),
      broken: (why, fix) => this.broken(path, why, fix),
    };
  }

  waiting(count: 1 | -1): void {
    this.#waiting += count;
  }

  open({ path, onlyWaits }: Fiber, making: Making, close: Leaf['close']): Leaf {
    const leaf: Leaf =
      typeof making === 'function' ? { step: making(), make: making, close } : { step: making, close };
    const { step } = leaf;
    if (step.do === 'call' && onlyWaits)
      this.broken(
        path,
        `\`either\` makes the call ${step.id}`,
        'Put the call into a child, or limit its own time',
      );
    if (step.do === 'record') this.#records.add(leaf);
    if (!('id' in step)) return leaf;
    if (this.#steps.has(step.id))
      this.broken(path, `the step ${step.id} comes twice`, 'Give each step its own id');
    this.#steps.add(step.id);
    this.#leaves.set(step.id, leaf);
    return leaf;
  }

  abandon(leaf: Leaf): boolean {
    const { step, opening } = leaf;
    this.#records.delete(leaf);
    if (!('id' in step)) return false;
    if (step.do === 'call' && opening) return true;
    this.#leaves.delete(step.id);
    if (opening) this.#cancels.add(step.id);
    return false;
  }

  broken(path: string, why: string, fix: string): never {
    const { workflow, version } = this.start.data;
    const at = path === '' ? '' : ` at ${path.slice(0, -1)}`;
    const bug = new WorkflowBug(`the script ${workflow} ${version}${at}`, why, fix);
    this.#watch.end(bug);
    throw bug;
  }

  #name({ path, counts }: Fiber, kind: string, id?: string): string {
    if (id !== undefined && !ID.test(id))
      this.broken(
        path,
        `the id ${JSON.stringify(id)} is none`,
        'Use letters, digits and _ . : -, at most 64',
      );
    const count = (counts.get(kind) ?? 0) + 1;
    if (id === undefined) counts.set(kind, count);
    const name = `${path}${id ?? `${kind}#${count}`}`;
    if (this.#names.has(name)) this.broken(path, `the id ${name} comes twice`, 'Give each step its own id');
    this.#names.add(name);
    return name;
  }

  #take(event: Seen): void {
    if (isForked(event)) return this.#forked(event);
    if (event.type === 'ClockRequested') return this.#clockRequested(event.data as ClockRequested['data']);
    const record = this.#nextRecord();
    if (record?.step.do === 'record' && record.step.event.type === event.type) {
      this.#records.delete(record);
      return record.close({ event });
    }
    const { stepId } = event.data as { stepId?: string };
    const leaf = stepId === undefined ? undefined : this.#leaves.get(stepId);
    if (leaf) return this.#closed(stepId as string, leaf, event);
    if (stepId === undefined || !this.#steps.has(stepId))
      this.broken(
        '',
        `it does not ask for what is recorded: ${event.type} ${stepId ?? ''}`,
        'Make the change a new version',
      );
    this.#cancels.delete(stepId);
  }

  /**
   * Open steps belong to the run that was forked. Waits are opened again. Calls are asked for again by the scripts that made them, also calls that
   * were asked for and not begun.
   */
  #forked(event: Seen<WorkflowForked>): void {
    this.#runId = event.data.runId;
    this.#fork = forkFrom(event);
    this.#cancels.clear();
    const calls = [...this.#leaves].filter(([, { step }]) => step.do === 'call');
    for (const leaf of this.#leaves.values()) if (leaf.step.do !== 'call') leaf.opening = undefined;
    for (const [id] of calls) {
      this.#leaves.delete(id);
      this.#steps.delete(id);
    }
    for (const [, leaf] of calls) leaf.close({ event });
  }

  #clockRequested({ stepId }: ClockRequested['data']): void {
    this.#clockRequests.set(stepId, (this.#clockRequests.get(stepId) ?? 0) + 1);
  }

  /** The record that comes first in the answer. */
  #nextRecord(): Leaf | undefined {
    if (this.#records.size === 0) return undefined;
    const leaves: Leaf[] = [];
    this.#root?.leaves(leaves);
    return leaves.find((leaf) => this.#records.has(leaf));
  }

  /** Takes an event of a step. When the run is cancelled, the runtime cancels steps, too: then the script waits for them in vain. */
  #closed(stepId: string, leaf: Leaf, event: Seen): void {
    const { opening, step } = leaf;
    if (!opening) {
      leaf.opening = event;
      this.#opened.push(event);
    } else if (event.type !== 'StepCancelled') {
      this.#leaves.delete(stepId);
      leaf.close({ opening, event });
    } else if (step.do !== 'child') this.#leaves.delete(stepId);
  }

  #run(work: () => void): void {
    this.#asks = 0;
    try {
      work();
      for (let next = this.#next(); next; next = this.#next()) next.go();
    } catch (error) {
      if (!(error instanceof RunFails)) throw error instanceof RedialError ? error : this.#thrown(error);
      this.#fail(error);
      return;
    }
    const [unused] = this.#watch.made;
    if (unused)
      this.broken(
        '',
        `\`${unused.name}\` is made at ${unused.line ?? 'an unknown line'} and not run`,
        'Write `yield*` before it',
      );
  }

  /** The first branch whose condition holds. */
  #next(): Condition | undefined {
    return this.#end || this.#waiting === 0 ? undefined : this.#root?.next();
  }

  /** The error of a script that is no failure of a step: it comes from a mistake in the script, or from an event that its rules cannot use. */
  #thrown(error: unknown): WorkflowBug {
    const { workflow, version } = this.start.data;
    const fix = 'Let it handle that, or throw `RunFails`';
    return new WorkflowBug(`the script ${workflow} ${version}`, `it threw ${String(error)}`, fix, {
      cause: error,
    });
  }

  #over(settled: Settled): void {
    if ('value' in settled) this.#end = [{ do: 'end', result: (settled.value ?? null) as Json }];
    else if (settled.error instanceof StepFailed) {
      const { kind, message } = settled.error;
      this.#end = [{ do: 'fail', failure: { kind, message } }];
    } else throw settled.error;
  }

  #fail({ failure, result }: RunFails): void {
    this.#end = [{ do: 'fail', failure, ...(result && { result }) }];
  }
}
