import { type ArgumentsHost, Catch, type ExceptionFilter, Logger, HttpException } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { Redactor } from '#lib/activities';
import { TooManyReaders } from '#lib/event-store';
import { TurnNotTaken } from '#lib/flows/core';
import { Unfinished } from '#lib/runs/runs/core';
import { ArbiterFailed, ProposerFailed } from '#lib/decisions/driving/core';
import { type HttpProblem, problemFor } from '#lib/engine/core';
import { RejectionError } from '#lib/operations/core';
import { REDIAL_POSITION } from '../requests/positions.js';
import { isOfDocs } from '../security/admit-callers.js';
import { ProblemError } from './problem-error.js';
import { frameworkProblem } from './framework-problem.js';

/** Makes a browser ask for the token. */
const BROWSER = ', Basic realm="redial"';

/** Every thrown error becomes a problem document; an unexpected one is logged once, and its message is hidden from callers. */
@Catch()
export class ProblemFilter implements ExceptionFilter {
  private readonly logger = new Logger('Http');

  constructor(private readonly redactor: Redactor) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    this.answer(error, http.getRequest<Request>(), http.getResponse<Response>());
  }

  answer(error: unknown, request: Request, response: Response): void {
    const problem = ownProblem(error) ?? problemFor(error, this.logger);
    if (response.headersSent) {
      response.destroy();
      return;
    }
    for (const [name, value] of Object.entries(headersOf(error, request))) response.setHeader(name, value);
    response
      .status(problem.status)
      .type('application/problem+json')
      .send(this.redactor.text(JSON.stringify(problem)));
  }
}

function headersOf(error: unknown, request: Request): Readonly<Record<string, string>> {
  if (error instanceof ProblemError) return error.headers;
  if (error instanceof TooManyReaders) return { 'Retry-After': '10' };
  if (error instanceof RejectionError && error.rejection.rejected === 'unauthorized')
    return { 'WWW-Authenticate': `Bearer realm="redial"${isOfDocs(request) ? BROWSER : ''}` };
  const mayHaveAppended =
    error instanceof ArbiterFailed ||
    error instanceof ProposerFailed ||
    error instanceof RejectionError ||
    error instanceof TurnNotTaken ||
    error instanceof Unfinished;
  return mayHaveAppended && error.position !== undefined ? { [REDIAL_POSITION]: error.position } : {};
}

/** The problem of an error of the server itself or its framework. */
function ownProblem(error: unknown): HttpProblem | undefined {
  if (error instanceof ProblemError) return error.problem;
  return error instanceof HttpException ? frameworkProblem(error) : undefined;
}
