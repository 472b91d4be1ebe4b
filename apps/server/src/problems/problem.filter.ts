import { randomUUID } from 'node:crypto';
import { type ArgumentsHost, Catch, type ExceptionFilter, Logger, HttpException } from '@nestjs/common';
import type { Response } from 'express';
import { ArbiterFailed, ArbitrationUnfinished, ProposerFailed, SolicitationUnfinished } from '#lib/sessions';
import { internalProblem, RejectionError, type HttpProblem, problemOf } from '#lib/engine';
import { REDIAL_POSITION } from '../requests/positions.js';
import { ProblemError } from './problem-error.js';
import { frameworkProblem } from './framework-problem.js';

/** Every thrown error becomes a problem document; an unexpected one is logged once, and its message is hidden from callers. */
@Catch()
export class ProblemFilter implements ExceptionFilter {
  private readonly logger = new Logger('Http');

  catch(error: unknown, host: ArgumentsHost): void {
    const response = host.switchToHttp().getResponse<Response>();
    const problem = problemFor(error) ?? this.unexpected(error);
    if (response.headersSent) {
      response.destroy();
      return;
    }
    for (const [name, value] of Object.entries(headersOf(error))) response.setHeader(name, value);
    response.status(problem.status).type('application/problem+json').send(JSON.stringify(problem));
  }

  private unexpected(error: unknown) {
    const errorId = randomUUID();
    this.logger.error(
      `${errorId} ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
    );
    return internalProblem(errorId);
  }
}

function headersOf(error: unknown): Readonly<Record<string, string>> {
  if (error instanceof ProblemError) return error.headers;
  if (error instanceof RejectionError && error.rejection.rejected === 'unauthorized')
    return { 'WWW-Authenticate': 'Bearer realm="redial"' };
  const mayHaveAppended =
    error instanceof ArbiterFailed ||
    error instanceof ArbitrationUnfinished ||
    error instanceof ProposerFailed ||
    error instanceof RejectionError ||
    error instanceof SolicitationUnfinished;
  return mayHaveAppended && error.position !== undefined ? { [REDIAL_POSITION]: error.position } : {};
}

/** Like `problemOf`, also for errors of the server and its framework. */
function problemFor(error: unknown): HttpProblem | undefined {
  if (error instanceof ProblemError) return error.problem;
  return error instanceof HttpException ? frameworkProblem(error) : problemOf(error);
}
