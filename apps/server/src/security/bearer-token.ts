import type { NextFunction, Request, Response } from 'express';
import { explain } from '#lib/kernel';
import { httpProblem } from '../problems/http-problem.js';
import { ProblemError } from '../problems/problem-error.js';
import { knowsToken } from './knows-token.js';

const OPEN = /^\/health(?:\/|$)/;

/** Middleware that lets only those pass who know the server's token; /health/* stays open. */
export function bearerToken(token: string) {
  return (request: Request, _response: Response, next: NextFunction): void => {
    const passes = OPEN.test(request.path) || knowsToken(request.get('authorization'), token);
    next(passes ? undefined : unauthorized());
  };
}

function unauthorized(): ProblemError {
  const why = 'it came without the token of this server';
  const fix = 'Send Authorization: Bearer with the value of REDIAL_API_TOKEN';
  const detail = explain('Unauthorized', 'the request', why, fix);
  return new ProblemError(httpProblem(401, 'unauthorized', detail), {
    'WWW-Authenticate': 'Bearer realm="redial"',
  });
}
