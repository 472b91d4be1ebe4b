import { RedialError } from '#lib/kernel';
import type { ExitCode } from './exit-codes.js';

/** The end of a failed command. */
export interface Failure {
  readonly exitCode: ExitCode;
  /** The first line is `[ErrorClass] what: why. how to fix.`, never a stack trace. */
  readonly lines: readonly string[];
}

/** An error with further lines, such as one for each problem. */
export class ErrorWithLines extends RedialError {
  constructor(
    what: string,
    why: string,
    fix: string,
    readonly lines: readonly string[] = [],
  ) {
    super(what, why, fix);
  }
}

/** The command line, or a file it names, cannot be used. Its lines are the problems. */
export class InvalidInput extends ErrorWithLines {}

/** No server answers at `REDIAL_URL`, or its answer is cut off. */
export class ServerUnreachable extends RedialError {
  override readonly answer = { status: 503, code: 'server-unreachable' };
}

/** A session continues only after a decision of a person. Its lines are the proposals, and the commands that decide. */
export class NeedsPerson extends ErrorWithLines {}

/** A machine lacks a property that it states. */
export class PropertyViolated extends RedialError {}

/** Events, or a seal, differ from the sealed ones. Its lines are the events among which the first difference is. */
export class SealDiffers extends ErrorWithLines {}

/** The events are those that were sealed, as far as they are sealed, but no key shows by whom. */
export class NotAuthenticated extends RedialError {}

/** A session took the most steps that it may take. */
export class StepLimit extends RedialError {}

/** A run ended without a result. */
export class RunFailed extends RedialError {}

/** A guard refused a decision. */
export class NotDecided extends RedialError {}

/** The receiver of a hook has not taken the message. */
export class NotTaken extends RedialError {}

/** Replay found a divergence; the lines about it are printed already. */
export class ReplayDiverges extends RedialError {}

export function diverges(diverging: number, replayed: number): ReplayDiverges {
  return new ReplayDiverges(
    `${diverging} of ${replayed} replayed histories`,
    'the recorded events differ from those that the rules give',
    'The lines above say where. If the rules have changed since, or are missing, replay with those that recorded it; else find out who changed the log, and restore an earlier copy',
  );
}

/** Histories differ from the current code; the lines about it are printed already. */
export class Regressed extends RedialError {
  constructor(
    /** The code of the worst verdict. */
    readonly exitCode: ExitCode,
    why: string,
    fix: string,
  ) {
    super('the comparison with today', why, fix);
  }
}

/** A thread failed, with the failure that the command would have without threads. */
export class CommandFailed extends Error {
  override readonly name = 'CommandFailed';

  constructor(readonly failure: Failure) {
    super(failure.lines[0]);
  }
}

/** A thread ended before it answered. */
export class ThreadLost extends RedialError {}

/** A check of the log found damage. */
export class LogDamaged extends RedialError {}

/** A log and its copy are not the same. */
export class CopyDiffers extends RedialError {}

/** A projection cannot fold an event. */
export class ProjectionStopped extends RedialError {}

/** The pages of a list from a server do not end. */
export class EndlessList extends RedialError {}
