import { Allowance, isJsonObject, type Json, type Measures, RedialError } from '#lib/kernel';

/** The units of work within a run that have an allowance of their own, and the allowances that a new run grants them. */
const GRANTED = {
  /** The expressions, templates and data checks of one turn of a conversation. `bytes` is for the texts of its templates. */
  turn: { steps: 4_000_000, bytes: 16 * 1024 * 1024 },
  /** The checks of all calls that one reply asks for. */
  reply: { steps: 1_000_000 },
} as const satisfies { readonly [unit: string]: Partial<Measures> };

/** A unit of work within a run. */
export type Unit = keyof typeof GRANTED;

/** The name of the fact of a start event that holds the allowances: `{ turn: { steps, bytes }, reply: { steps } }`. */
export const ALLOWANCE = 'allowance';

/** The source of the fact `ALLOWANCE`. */
export function grantedAllowance(): Json {
  return GRANTED;
}

/**
 * A run that began before runs had allowances takes more than one. No allowance applies to its results, and deriving them may never end: the run
 * stays as it is recorded.
 */
export class NotDerived extends RedialError {
  override readonly answer = { status: 503, code: 'not-derived' };

  constructor(unit: Unit) {
    super(
      `the ${unit} of a run`,
      'it takes more than its allowance, and began in a release that had none',
      'Give the run up, and make its expressions, templates or checks smaller: docs/limits.md has the allowances',
    );
  }
}

/** The allowance of one unit of work of a run, as the facts of its start grant it. */
export class UnitAllowance extends Allowance {
  /** False for a run of a release without allowances. It is derived within the same bounds, or not at all. */
  readonly isGranted: boolean;

  /** @param left the rest of the allowance, for a unit that has begun */
  constructor(
    readonly unit: Unit,
    facts: { readonly [name: string]: Json },
    left?: Partial<Measures>,
  ) {
    const fact = facts[ALLOWANCE];
    const granted = isJsonObject(fact) ? fact[unit] : undefined;
    super(left ?? (isJsonObject(granted) ? granted : GRANTED[unit]));
    this.isGranted = isJsonObject(granted);
  }
}
