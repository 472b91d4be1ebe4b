import type { SandboxMemory } from '#lib/call-rules';
import type { Json, JsonObject } from '#lib/kernel';
import type { EndStep, Failure } from '#lib/workflow';
import { type CitationAt, withSources } from './citations.js';
import type { Exit } from './code.input.js';
import type { CodeState } from './code.state.js';
import type { Iteration } from './iteration.rules.js';
import { type Mutation, mutationsIn } from './objects.rules.js';
import { shownVariables } from './shown-variables.rules.js';

/** An iteration with its variables in the form for readers: long ones as a preview. */
export type ExecutedIteration = Omit<Iteration, 'variablesIn'> & { readonly variables: JsonObject };

/** The result of an execution of code. */
export class CodeResult {
  /** The value of the exit; absent if none was taken. */
  readonly output?: Json;
  readonly exit?: string;
  /** The reason why no exit was taken: `loop-exceeded`, `aborted`, `budget` or `critical`. */
  readonly failure?: Failure;
  readonly iterations: readonly ExecutedIteration[];
  /** The writes of the programs to properties of objects, in order. */
  readonly mutations: readonly Mutation[];
  /** The citations in the value; empty without `citations`. */
  readonly citations: readonly CitationAt[];
  readonly usage: CodeState['spent']['usage'];
  readonly #exits: readonly Exit[];

  constructor(
    { iterations, spent, stop, sources }: CodeState,
    end: EndStep,
    exits: readonly Exit[],
    { variables }: SandboxMemory,
  ) {
    this.#exits = exits;
    if (end.do === 'fail') this.failure = end.failure;
    else {
      const { exit, value = null } = end.result as { readonly exit: string; readonly value?: Json };
      this.exit = exit;
      this.output = value;
    }
    this.iterations = iterations.map(({ variablesIn = '', ...iteration }) => ({
      ...iteration,
      variables: shownVariables(variables.get(variablesIn)),
    }));
    this.mutations = mutationsIn(iterations);
    this.citations = withSources((stop && 'exit' in stop && stop.citations) || [], sources);
    this.usage = spent.usage;
  }

  /** The last iteration; `undefined` if the model was not asked. */
  get iteration(): ExecutedIteration | undefined {
    return this.iterations.at(-1);
  }

  /** Whether this exit of the call was taken. It must be the same object, not only one of the same name. */
  is(exit: Exit): this is this & { readonly output: Json } {
    return this.#exits.some((one) => one === exit && one.name === this.exit);
  }

  isSuccess(): this is this & { readonly output: Json; readonly exit: string } {
    return this.failure === undefined;
  }

  isError(): this is this & { readonly failure: Failure } {
    return this.failure !== undefined;
  }
}
