import type { Problem } from '#lib/kernel';

/**
 * What is wrong with a machine. `malformed`: a value of the wrong JSON type, or a property that does not exist, so it cannot be
 * read. `invalid`: it can be read, and breaks a rule.
 */
export interface MachineProblem extends Problem {
  readonly kind: 'malformed' | 'invalid';
}

/** What is legal and probably not meant. */
export type MachineWarning = Problem;

export interface MachineInspection {
  /** Exactly when there are no errors. */
  readonly valid: boolean;
  readonly errors: readonly MachineProblem[];
  readonly warnings: readonly MachineWarning[];
}
