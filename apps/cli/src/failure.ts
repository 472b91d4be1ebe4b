import { InvalidSetting, RejectionError } from '#lib/engine';
import { CopyRefused, StoreUnavailable } from '#lib/event-store';
import { RedialProblem } from '#lib/client';
import { explain, RedialError, type RejectionKind } from '#lib/kernel';
import { CheckpointMismatch, UnknownProjection } from '#lib/projections';
import { LogClaimedElsewhere } from '#lib/workflow';
import { CopyDiffers, InvalidInput, NeedsPerson, NoLog, NotDecided, ReplayDiverges } from './errors.js';
import { type ExitCode, exitCodes } from './exit-codes.js';
import { oneLine } from './format/one-line.js';

/** How a failed command ends. */
export interface Failure {
  readonly exitCode: ExitCode;
  /** The first is `[ErrorClass] what: why. how to fix.`, never a stack trace. */
  readonly lines: readonly string[];
}

const codesByKind: { readonly [Kind in RejectionKind]: ExitCode } = {
  malformed: exitCodes.usage,
  unauthorized: exitCodes.usage,
  forbidden: exitCodes.usage,
  refused: exitCodes.usage,
  unknown: exitCodes.unknown,
  conflict: exitCodes.failed,
};

type ErrorType = abstract new (...args: never[]) => Error;

const codesByClass: readonly (readonly [ErrorType, ExitCode])[] = [
  [InvalidInput, exitCodes.usage],
  [InvalidSetting, exitCodes.usage],
  [CopyRefused, exitCodes.usage],
  [NotDecided, exitCodes.usage],
  [ReplayDiverges, exitCodes.diverges],
  [CopyDiffers, exitCodes.diverges],
  [UnknownProjection, exitCodes.unknown],
  [NoLog, exitCodes.unavailable],
  [StoreUnavailable, exitCodes.unavailable],
  [CheckpointMismatch, exitCodes.unavailable],
  [LogClaimedElsewhere, exitCodes.unavailable],
  [NeedsPerson, exitCodes.needsPerson],
];

/** The one place where errors become exit codes. */
export function failureOf(error: unknown): Failure {
  if (error instanceof RejectionError) {
    const { rejected, message, problems = [] } = error.rejection;
    const lines = problems.map(({ path, message: problem }) => `  ${path || '(root)'} ${problem}`);
    return { exitCode: codesByKind[rejected], lines: [message, ...lines] };
  }
  if (error instanceof RedialProblem) return problemFailure(error);
  if (error instanceof RedialError) {
    const [, exitCode = exitCodes.failed] = codesByClass.find(([type]) => error instanceof type) ?? [];
    return { exitCode, lines: [error.message, ...detailsOf(error).map((line) => `  ${line}`)] };
  }
  return { exitCode: exitCodes.failed, lines: [unexpected(error)] };
}

const codesByStatus: { readonly [status: number]: ExitCode } = {
  404: exitCodes.unknown,
  409: exitCodes.failed,
  503: exitCodes.unavailable,
};

/** What a server refused, as the same command without a server would end. */
function problemFailure({ status, problem, message }: RedialProblem): Failure {
  const { errors = [] } = problem as { errors?: readonly { path: string; message: string }[] };
  const lines = errors.map(({ path, message: what }) => `  ${path || '(root)'} ${what}`);
  const exitCode = codesByStatus[status] ?? (status < 500 ? exitCodes.usage : exitCodes.failed);
  return { exitCode, lines: [message, ...lines] };
}

function detailsOf(error: RedialError): readonly string[] {
  if (error instanceof InvalidInput) return error.problems;
  return error instanceof NeedsPerson ? error.details : [];
}

function unexpected(error: unknown): string {
  const { name = 'Error', message = String(error) } = (error ?? {}) as Partial<Error>;
  const why = oneLine(message, 500);
  return explain(name, 'redial failed unexpectedly', why, 'Please report it with the command you gave');
}
