import { RedialError } from '#lib/kernel';

/** The command line, or a file it names, cannot be used. */
export class InvalidInput extends RedialError {
  constructor(
    what: string,
    why: string,
    fix: string,
    /** One line each, for what has several. */
    readonly problems: readonly string[] = [],
  ) {
    super(what, why, fix);
  }
}

/** The data folder holds no event log: reading commands make none. */
export class NoLog extends RedialError {}

/** A session stands where no declared proposer can be asked. */
export class NeedsPerson extends RedialError {}

/** A run took all the steps it may take. */
export class StepLimit extends RedialError {}

/** Replay found a divergence; the lines that say where are printed already. */
export class ReplayDiverges extends RedialError {}

/** A log and its copy are not the same. */
export class CopyDiffers extends RedialError {}

/** A projection cannot take an event. */
export class ProjectionStopped extends RedialError {}
