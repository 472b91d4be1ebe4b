import type { IncomingMessage } from 'node:http';
import type { NextFunction, Request, Response } from 'express';
import { explain } from '#lib/kernel';
import { malformed, RejectionError } from '#lib/operations';
import { httpProblem, type HttpProblem, problemOf } from '#lib/engine/core';
import { ProblemError } from '../problems/problem-error.js';
import { foreignOrigin, isLoopback } from './request-origin.js';

/** The refusal of a request before routing, the same for every server of this process; `undefined` for an accepted one. */
export function refusedRequest(request: IncomingMessage, hasToken: boolean): HttpProblem | undefined {
  const { method = '', headers, httpVersion } = request;
  if (headers.host === undefined && httpVersion === '1.1')
    return problemOf(new RejectionError(malformed([{ path: '/Host', message: 'is missing' }])));
  const site = headers['sec-fetch-site'];
  const fetchSite = typeof site === 'string' ? site : undefined;
  const why = foreignOrigin({ method, host: headers.host, origin: headers.origin, fetchSite }, hasToken);
  return why === undefined ? undefined : foreign(why);
}

function foreign(why: string): HttpProblem {
  const fix = 'Call it from this host, under its own name, or set REDIAL_API_TOKEN and send the token';
  return httpProblem(403, 'foreign-origin', explain('ForeignOrigin', 'the request', why, fix));
}

/** Headers of proxies: with one of them, the connected address is not that of the client. */
const FORWARDED = ['forwarded', 'via', 'x-forwarded-for', 'x-real-ip'];

/** Middleware for servers without a token whose address is not known: every client that reaches them is an operator. */
export function onlyThisHost({ socket, headers }: Request, _response: Response, next: NextFunction): void {
  const { remoteAddress } = socket;
  const isForwarded = FORWARDED.some((name) => name in headers);
  const isNear = remoteAddress !== undefined && isLoopback(remoteAddress) && !isForwarded;
  next(isNear ? undefined : new ProblemError(foreign('it comes from another host, without a token')));
}

/**
 * Middleware for servers whose token an application adds to the requests of a signed-in browser: pages of its other hosts send requests with
 * it, too.
 */
export function onlyOwnPages({ method, headers }: Request, _response: Response, next: NextFunction): void {
  const isOther = method !== 'GET' && headers['sec-fetch-site'] === 'same-site';
  next(isOther ? new ProblemError(foreign('it comes from a page of another origin')) : undefined);
}

/** Middleware that refuses requests that pages of other sites make a browser send. */
export function refuseForeign(hasToken: boolean) {
  return (request: Request, _response: Response, next: NextFunction): void => {
    const problem = refusedRequest(request, hasToken);
    next(problem && new ProblemError(problem));
  };
}
