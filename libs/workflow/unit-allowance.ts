import { Allowance, isJsonObject, type Json, type Measures, RedialError } from '#lib/kernel';

/** The units of work within a run that have an allowance of their own, and what a run that begins now grants to each. */
const GRANTED = {
  /** The expressions, templates and checks of data of one turn of a conversation. Bytes: the texts of its templates. */
  turn: { steps: 4_000_000, bytes: 16 * 1024 * 1024 },
  /** The checks of all calls that one reply asks for. */
  reply: { steps: 1_000_000 },
} as const satisfies { readonly [unit: string]: Partial<Measures> };

/** A unit of work within a run. */
export type Unit = keyof typeof GRANTED;

/** The name of the fact of a start event that holds what is granted: `{ turn: { steps, bytes }, reply: { steps } }`. */
export const ALLOWANCE = 'allowance';

/** The source of that fact. */
export function grantedAllowance(): Json {
  return GRANTED;
}

/**
 * A run that was begun before runs had an allowance takes more than one. Its results would be those that no allowance refuses, and
 * deriving them may take without end: it is left as it is recorded.
 */
export class NotDerived extends RedialError {
  override readonly answer = { status: 503, code: 'not-derived' };

  constructor(unit: Unit) {
    super(
      `the ${unit} of a run`,
      'it takes more than its allowance, and began in a release that had none',
      'Give the run up, and change what takes so much: docs/limits.md has the allowances',
    );
  }
}

/** The allowance of one unit of work of a run, as the facts of its start grant it. */
export class UnitAllowance extends Allowance {
  /** False for a run of a release without allowances: it is derived within the same bounds, or not at all. */
  readonly isGranted: boolean;

  /** @param left of a unit that has begun: what is left of it */
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
