import type { CallerInput, ProposerContext } from '#lib/decisions/session';
import { DuplicateFunction } from '#lib/activities';

type BuiltIn = (context: ProposerContext) => {
  readonly transitionName: string;
  readonly toState: string;
  readonly reasoning: string;
};

/** The built-in strategies. All of them fail without a transition to choose. */
function builtInStrategies(random: () => number) {
  const anyOf = choosing('chosen at random', (count) => Math.min(Math.floor(random() * count), count - 1));
  return {
    firstAvailable: choosing('the first transition', () => 0),
    lastAvailable: choosing('the last transition', (count) => count - 1),
    random: anyOf,
    weightedRandom: anyOf,
  };
}

/** Transitions have the machine's order. */
function choosing(how: string, pick: (count: number) => number): BuiltIn {
  return ({ currentState, transitions }) => {
    const offered = Object.entries(transitions);
    const [transitionName, transition] = offered[pick(offered.length)] ?? [];
    if (transitionName === undefined || !transition) {
      throw new Error(`State "${currentState}" offers no transitions.`);
    }
    return { transitionName, toState: transition.target, reasoning: `${transitionName}: ${how}` };
  };
}

/** The names of the built-in strategies. */
export const BUILT_IN_STRATEGIES: ReadonlySet<string> = new Set(Object.keys(builtInStrategies(() => 0)));

/** A choice. Must be plain JSON; default for `toState`: the transition's target. The solicitation checks it. */
export interface StrategyResult extends CallerInput {
  readonly transitionName: string;
  readonly toState?: string;
}

/** Chooses a transition. The context is a copy for the function. */
export type StrategyFn = (context: ProposerContext) => StrategyResult | Promise<StrategyResult>;

/** Gives the context of a model. Its argument is a copy for the function. */
export type ContextFn = (context: ProposerContext) => string | Promise<string>;

/** The functions of this process by name: a log cannot hold functions. */
export class ProposerFunctions {
  private readonly strategies: Map<string, StrategyFn>;
  private readonly builtIn: ReadonlySet<string>;
  private readonly contexts = new Map<string, ContextFn>();

  /** @param random the source of the built-in `random` strategies: numbers from 0 up to, but not including, 1 */
  constructor(random: () => number = Math.random) {
    this.strategies = new Map(Object.entries(builtInStrategies(random)));
    this.builtIn = new Set(this.strategies.keys());
  }

  /** @throws DuplicateFunction also for the name of a built-in strategy. */
  registerStrategy(name: string, strategy: StrategyFn): this {
    return this.register('strategy', this.strategies, name, strategy);
  }

  /** @throws DuplicateFunction */
  registerContext(name: string, context: ContextFn): this {
    return this.register('context function', this.contexts, name, context);
  }

  /** Removes a registration. Built-in strategies stay. */
  unregister(name: string): void {
    if (!this.builtIn.has(name)) this.strategies.delete(name);
    this.contexts.delete(name);
  }

  strategy(name: string): StrategyFn | undefined {
    return this.strategies.get(name);
  }

  context(name: string): ContextFn | undefined {
    return this.contexts.get(name);
  }

  /** Built-in ones first, then in the order of registration. */
  get strategyNames(): readonly string[] {
    return [...this.strategies.keys()];
  }

  get contextNames(): readonly string[] {
    return [...this.contexts.keys()];
  }

  private register<Fn>(kind: string, known: Map<string, Fn>, name: string, fn: Fn): this {
    if (known.has(name)) throw new DuplicateFunction(kind, name);
    known.set(name, fn);
    return this;
  }
}
