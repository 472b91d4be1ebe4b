import type { Problem } from '#lib/kernel';

/**
 * A problem of a machine. `malformed`: a value of the wrong JSON type, or an unknown property, so that the machine cannot be read. `invalid`: the
 * machine can be read, but breaks a rule.
 */
export interface MachineProblem extends Problem {
  readonly kind: 'malformed' | 'invalid';
}

/** A problem whose text is made only if it is listed, because a definition may have thousands. */
export type FoundProblem = () => Problem;

/** A warning: legal, but probably a mistake. */
export type MachineWarning = Problem;

/** The problems of a machine definition. */
export interface MachineInspection {
  /** True exactly if there are no errors. */
  readonly valid: boolean;
  /** The first 20 errors. */
  readonly errors: readonly MachineProblem[];
  /** The number of all errors, if not all are listed. */
  readonly errorCount?: number;
  /** The first 20 warnings. */
  readonly warnings: readonly MachineWarning[];
  /** The number of all warnings, if not all are listed. */
  readonly warningCount?: number;
}
