import { type Allowance, AllowanceExceeded, type Json } from '#lib/kernel';
import { NotDerived, UnitAllowance } from '#lib/workflow';

/** The expressions, templates and checks of data that a turn computes between its calls. They share one allowance. */
export class TurnWork {
  readonly allowance: UnitAllowance;

  /** @param facts of the run's start */
  constructor(facts: { readonly [name: string]: Json }) {
    this.allowance = new UnitAllowance('turn', facts);
  }

  /** One computation of the script; `refused` if it exceeds the allowance of the turn.  @throws NotDerived */
  next<Value>(compute: (allowance: Allowance) => Value): { readonly value: Value } | 'refused' {
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
