import type {
  SandboxCall,
  SandboxCompleted,
  SandboxEnd,
  SandboxOutcome,
  SandboxProgram,
  SandboxTrace,
} from '#lib/call-rules';
import type { Json, JsonObject } from '#lib/kernel';
import {
  attempts,
  beside,
  branched,
  called,
  type Closed,
  here,
  type Script,
  type StepFailed,
  type Steps,
  UnitAllowance,
  until,
} from '#lib/workflow';
import { callTraces } from './call-traces.rules.js';
import { type CodeState, current, indexOf } from './code.state.js';
import type { Thought } from './hook.script.js';
import { callMade } from './program-call.script.js';

/** The end of a program, or the reason why the sandbox could not run it. */
type ProgramEnd =
  | { readonly end: SandboxEnd; readonly broken?: never }
  | { readonly end?: never; readonly broken: string };

/** A call of a program, as the calls after it see it. */
interface Neighbour {
  /** Other calls need not wait for this one. */
  isBeside: boolean;
  isOver: boolean;
  /** Of a hook or a tool that asked to think. */
  thought?: Thought;
}

/** A running program: its slices in the sandbox, and between them the calls that it waits for. */
export class Program {
  /** The prefix of its step ids. */
  readonly #id: string;
  readonly #calls: Neighbour[] = [];
  /** The number of calls that have not ended. */
  #open = 0;
  /** The index of the first call that has not ended and may not run beside others. */
  #turn = 0;
  /** In the order in which they came. */
  readonly #outcomes: SandboxOutcome[] = [];
  /** The number of outcomes that completed slices have had. */
  #given = 0;
  #interruptions = 0;
  /** True while the outcomes of one event are collected; their traces are given to the hook together. */
  #isCollecting = false;
  #told = 0;

  constructor(
    private readonly state: CodeState,
    private readonly program: SandboxProgram,
  ) {
    this.#id = `iteration-${indexOf(state)}-code`;
    const { variablesFrom } = program;
    if (variablesFrom !== undefined) current(state, { variablesIn: variablesFrom });
  }

  /** The thought of the first call that has one. */
  get thought(): Thought | undefined {
    return this.#calls.find(({ thought }) => thought)?.thought;
  }

  /** Ends when the program and all its calls have ended, also calls that it did not wait for. */
  *run(): Steps<ProgramEnd> {
    const scripts = [{ script: this.#slices() }];
    const [slices] = yield* branched({ path: this.#id, scripts, until: 'all' });
    return slices?.value as ProgramEnd;
  }

  *#slices(): Steps<ProgramEnd> {
    let last: string | undefined;
    for (let slice = 1; ; slice++) {
      const made = yield* this.#sliced(slice, last);
      if ('failed' in made) return endOf(made.failed);
      const { event, opening } = made.value;
      const { stepId, calls, traces, end, variables } = event.data as SandboxCompleted['data'];
      last = stepId;
      const { outcomes = [] } = (opening?.data ?? {}) as { readonly outcomes?: readonly Json[] };
      this.#given += outcomes.length;
      if (variables !== undefined) current(this.state, { variablesIn: stepId });
      yield* this.#begun(calls, traces);
      if (end) return { end };
      yield* until(() => this.#outcomes.length > this.#given || this.#open === 0);
      if (this.#outcomes.length === this.#given) return { end: STUCK };
    }
  }

  /** Runs a slice. The first slice has the program; each later one has the outcomes that came before its request. */
  *#sliced(slice: number, last: string | undefined) {
    const made = yield* attempts<Closed, StepFailed>({
      call: (attempt) =>
        called(() => {
          const outcomes = this.#outcomes.slice(this.#given);
          const input = last === undefined ? { program: this.program } : { after: last, outcomes };
          const id = `${this.#id}.slice-${slice}#${attempt}`;
          return { id, activity: 'sandbox', input: input as object as JsonObject };
        }),
      unsafe: 'again',
      interruptions: this.#interruptions,
    });
    this.#interruptions = made.interruptions;
    return made;
  }

  /** Begins the calls that a slice asks for. Their checks share an allowance. */
  *#begun(calls: readonly SandboxCall[], traces: readonly SandboxTrace[]): Steps<void> {
    const unit = new UnitAllowance('reply', this.state.facts);
    this.#isCollecting = true;
    this.#trace(traces);
    for (const asked of calls) yield* beside(this.#call(asked, unit));
    this.#isCollecting = false;
    this.#tell();
  }

  *#call(asked: SandboxCall, unit: UnitAllowance): Steps<void> {
    const index = this.#calls.length;
    const neighbour: Neighbour = { isBeside: false, isOver: false };
    this.#calls.push(neighbour);
    this.#open++;
    const made = yield* callMade(this.state, asked, {
      place: `${this.#id}.call-${index + 1}`,
      unit,
      passes: () => (neighbour.isBeside = true),
      turn: () => this.#turnOf(index, neighbour),
    });
    const { outcome, thought } = made;
    neighbour.isOver = true;
    this.#open--;
    if (thought) neighbour.thought = thought;
    this.#outcomes.push({ call: index, ...outcome });
    this.#trace(callTraces(made, (yield* here()).now));
    if (!this.#isCollecting) this.#tell();
  }

  /** Waits for the call's turn: calls that may not run beside others run one after the other. */
  *#turnOf(index: number, neighbour: Neighbour): Script<void> {
    if (!neighbour.isBeside) yield* until(() => this.#isNext(index));
  }

  #isNext(index: number): boolean {
    const isPassed = (one: Neighbour | undefined) => one !== undefined && (one.isOver || one.isBeside);
    while (isPassed(this.#calls[this.#turn])) this.#turn++;
    return this.#turn === index;
  }

  #trace(traces: readonly SandboxTrace[]): void {
    this.state.iterations.at(-1)?.traces.push(...traces);
    for (const { type, source } of traces) if (type === 'source') this.state.sources.push(source ?? null);
  }

  /** Gives the new traces to the hook for traces. */
  #tell(): void {
    const { traces = [] } = this.state.iterations.at(-1) ?? {};
    const added = traces.slice(this.#told);
    this.#told = traces.length;
    if (added.length === 0 || !this.state.input.hooks?.onTrace) return;
    this.state.untold.push({ iteration: indexOf(this.state), upTo: traces.length, traces: added });
  }
}

/** The end of a program that waits but has no open call, so that no outcome can continue it. */
const STUCK: SandboxEnd = {
  kind: 'threw',
  name: 'Error',
  message: 'The code waits for something that no call can bring.',
};

/** Limits by failures of a slice. The point at which they are reached differs between machines, so replay takes them as recorded. */
const MACHINE_LIMITS: Readonly<Record<string, string>> = { 'time-limit': 'time', 'too-deep': 'stack' };

function endOf({ kind, message }: StepFailed): ProgramEnd {
  const limit = MACHINE_LIMITS[kind];
  return limit === undefined ? { broken: message } : { end: { kind: 'limit', limit, message } };
}
