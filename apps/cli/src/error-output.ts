import { RedialProblem } from '#lib/client';
import type { HttpProblem } from '#lib/engine/core';
import { explain, oneLine, RedialError } from '#lib/kernel';
import { CommandFailed, ErrorWithLines, type Failure, Regressed } from './error-classes.js';
import { type ExitCode, exitCodes } from './exit-codes.js';

/** By name: the classes of libs are loaded only by the code that throws them. */
const codesByName: { readonly [errorClass: string]: ExitCode } = {
  InvalidInput: exitCodes.usage,
  InvalidSetting: exitCodes.usage,
  CopyRefused: exitCodes.usage,
  NotDecided: exitCodes.usage,
  ReplayDiverges: exitCodes.diverges,
  CopyDiffers: exitCodes.diverges,
  SealDiffers: exitCodes.diverges,
  NotAuthenticated: exitCodes.notAuthenticated,
  InvalidSealKey: exitCodes.usage,
  UnknownProjection: exitCodes.unknown,
  NoLog: exitCodes.unavailable,
  ServerUnreachable: exitCodes.unavailable,
  CheckpointMismatch: exitCodes.unavailable,
  LogClaimedElsewhere: exitCodes.unavailable,
  NeedsPerson: exitCodes.needsPerson,
  PropertyViolated: exitCodes.propertyViolated,
};

/** An error of the command line has its own code; all others have the code of their problem's status. */
export async function failureOf(error: unknown): Promise<Failure> {
  if (error instanceof CommandFailed) return error.failure;
  const ownCode = ownCodeOf(error);
  if (ownCode === undefined) {
    const problem = await problemOf(error);
    if (problem) return problemFailure(problem);
  }
  if (error instanceof RedialError) {
    const more = error instanceof ErrorWithLines ? error.lines : [];
    return {
      exitCode: ownCode ?? exitCodes.failed,
      lines: [error.message, ...more.map((line) => `  ${line}`)],
    };
  }
  return { exitCode: exitCodes.failed, lines: [unexpected(error)] };
}

function ownCodeOf(error: unknown): ExitCode | undefined {
  if (error instanceof Regressed) return error.exitCode;
  return error instanceof RedialError ? codesByName[error.name] : undefined;
}

async function problemOf(error: unknown): Promise<ShownProblem | undefined> {
  if (error instanceof RedialProblem) return problemOfServer(error);
  const engine = await import('#lib/engine');
  return engine.problemOf(error);
}

const codesByStatus: { readonly [status: number]: ExitCode } = {
  404: exitCodes.unknown,
  409: exitCodes.failed,
  503: exitCodes.unavailable,
};

type ShownProblem = Pick<HttpProblem, 'status' | 'detail' | 'errors' | 'code'>;

/** The options that correct a refused call, by the code of the problem. */
const optionsByCode: { readonly [code: string]: string } = {
  'not-a-person':
    'on the command line: --act-as <person> or --token <token>; for redial decide also --as <human specialist>',
};

/** A command fails in the same way with a server and without one. */
function problemFailure({ status, detail, errors = [], code }: ShownProblem): Failure {
  const options = optionsByCode[code];
  const lines = [
    ...errors.map(({ path, message }) => `  ${path || '(root)'} ${message}`),
    ...(options === undefined ? [] : [`  ${options}`]),
  ];
  const exitCode = codesByStatus[status] ?? (status < 500 ? exitCodes.usage : exitCodes.failed);
  return { exitCode, lines: [detail, ...lines] };
}

function problemOfServer({ status, problem, message }: RedialProblem): ShownProblem {
  const { errors, code } = problem as Pick<HttpProblem, 'errors' | 'code'>;
  return { status, code, detail: message, ...(errors && { errors }) };
}

function unexpected(error: unknown): string {
  const { name = 'Error', message = String(error) } = (error ?? {}) as Partial<Error>;
  const why = oneLine(message, 500);
  return explain(name, 'redial failed unexpectedly', why, 'Please report it with the command you gave');
}
