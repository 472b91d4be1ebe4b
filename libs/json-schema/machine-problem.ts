import type { Problem } from '#lib/kernel';

/**
 * A problem of a machine. `malformed`: a value of the wrong JSON type, or a property that does not exist, so it cannot be
 * read. `invalid`: it can be read, and breaks a rule.
 */
export interface MachineProblem extends Problem {
  readonly kind: 'malformed' | 'invalid';
}

/** A problem whose text is made once it is known to be listed: a definition may have thousands. */
export type FoundProblem = () => Problem;

/** A warning: legal, and probably a mistake. */
export type MachineWarning = Problem;

/** The problems of a machine definition. */
export interface MachineInspection {
  /** Exactly when there are no errors. */
  readonly valid: boolean;
  /** The first 20. */
  readonly errors: readonly MachineProblem[];
  /** How many there are, if not all are listed. */
  readonly errorCount?: number;
  /** The first 20. */
  readonly warnings: readonly MachineWarning[];
  /** How many there are, if not all are listed. */
  readonly warningCount?: number;
}
