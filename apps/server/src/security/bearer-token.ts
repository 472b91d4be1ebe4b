import { createHash, timingSafeEqual } from 'node:crypto';
import type { NextFunction, Request, Response } from 'express';
import { explain } from '#lib/kernel';
import { httpProblem } from '../problems/http-problem.js';
import { ProblemError } from '../problems/problem-error.js';

const OPEN = /^\/health(?:\/|$)/;

/** Middleware that lets only those pass who know the server's token; /health/* stays open. */
export function bearerToken(token: string) {
  const expected = digest(token);
  return (request: Request, _response: Response, next: NextFunction): void => {
    const [, given] = /^Bearer +(\S+) *$/i.exec(request.get('authorization') ?? '') ?? [];
    const passes =
      OPEN.test(request.path) || (given !== undefined && timingSafeEqual(digest(given), expected));
    next(passes ? undefined : unauthorized());
  };
}

/** Of equal length for every text, so that comparing tells nothing about the token. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

function unauthorized(): ProblemError {
  const why = 'it came without the token of this server';
  const fix = 'Send Authorization: Bearer with the value of REDIAL_API_TOKEN';
  const detail = explain('Unauthorized', 'the request', why, fix);
  return new ProblemError(httpProblem(401, 'unauthorized', detail), {
    'WWW-Authenticate': 'Bearer realm="redial"',
  });
}
