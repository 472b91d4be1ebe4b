import { type Allowance, AllowanceExceeded, type Json, type Measures } from '#lib/kernel';
import { NotDerived, UnitAllowance } from '#lib/workflow';

/** What a turn has computed itself so far, in order, and what is left of its allowance. */
export interface WorkDone {
  readonly results: readonly Result[];
  readonly left?: Partial<Measures>;
}

type Result = { readonly value: unknown } | 'refused';

export const NOTHING_DONE: WorkDone = { results: [] };

/**
 * What a turn computes itself, between what it asks: expressions, templates, checks of data. The script of a turn runs again after each
 * answer, and comes to the same computations in the same order: their results are kept, so that each is made, and spent on, once.
 */
export class TurnWork {
  readonly #results: Result[];
  /** Of the turn. */
  readonly allowance: UnitAllowance;
  #next = 0;

  /** @param facts of the run's start */
  constructor(facts: { readonly [name: string]: Json }, { results, left }: WorkDone) {
    this.#results = [...results];
    this.allowance = new UnitAllowance('turn', facts, left);
  }

  get done(): WorkDone {
    return { results: this.#results, left: this.allowance.left };
  }

  /**
   * The next computation of the script, or `refused` if the turn has no allowance left for it.
   * @throws NotDerived
   */
  next<Value>(compute: (allowance: Allowance) => Value): { readonly value: Value } | 'refused' {
    const known = this.#results[this.#next];
    this.#next += 1;
    if (known !== undefined) return known as { readonly value: Value } | 'refused';
    const result = this.#made(compute);
    this.#results.push(result);
    return result;
  }

  #made<Value>(compute: (allowance: Allowance) => Value): { readonly value: Value } | 'refused' {
    if (!this.allowance.isExceeded) {
      const value = orRefused(() => compute(this.allowance));
      if (!this.allowance.isExceeded) return { value: value as Value };
    }
    if (!this.allowance.isGranted) throw new NotDerived('turn');
    return 'refused';
  }
}

function orRefused<Value>(compute: () => Value): Value | undefined {
  try {
    return compute();
  } catch (error) {
    if (!(error instanceof AllowanceExceeded)) throw error;
    return undefined;
  }
}
