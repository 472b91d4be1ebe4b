import { isUtf8 } from 'node:buffer';
import { BadRequestException, type RawBodyRequest, UnsupportedMediaTypeException } from '@nestjs/common';
import type { ExpressAdapter } from '@nestjs/platform-express';
import type { NextFunction, Request, Response } from 'express';
import { reject, unstorableValue } from '#lib/kernel';
import { RejectionError } from '#lib/operations/core';
import { fieldOfLines, readLineBodies } from './line-bodies.js';

/** 1 MiB. */
const BODY_LIMIT = 1_048_576;

/** Adds the middleware that reads and checks the body of a request. A body that was read before passes. */
export function readBodies(http: Pick<ExpressAdapter, 'use' | 'useBodyParser'>): void {
  http.use(readLineBodies());
  http.use(onlyJson);
  http.useBodyParser('json', true, { limit: BODY_LIMIT, strict: false });
  for (const check of [onlyUtf8, noBodyIsNone, storableNumbers]) http.use(check);
}

/** Before the parser: a body of another type is not read at all. So plain forms of other sites are refused, too. */
function onlyJson(request: Request, _response: Response, next: NextFunction): void {
  const isRead = ['GET', 'HEAD', 'OPTIONS'].includes(request.method);
  const isOther =
    hasBody(request) && fieldOfLines(request) === undefined && request.is('application/json') === false;
  next(!isRead && isOther ? new UnsupportedMediaTypeException() : undefined);
}

/** After the parser, which puts U+FFFD in place of bytes that are not UTF-8. */
function onlyUtf8({ rawBody }: RawBodyRequest<Request>, _response: Response, next: NextFunction): void {
  if (rawBody === undefined || isUtf8(rawBody)) next();
  else next(new BadRequestException(undefined, { cause: new SyntaxError('the body is not UTF-8') }));
}

/** After the parser, which makes `{}` of an empty body: an absent body is not an object. */
function noBodyIsNone(request: Request, _response: Response, next: NextFunction): void {
  if (!hasBody(request)) request.body = undefined;
  next();
}

/** After the parser, which makes infinity of `1e999`: a number that events cannot hold is refused with its location. */
function storableNumbers(request: Request, _response: Response, next: NextFunction): void {
  const path = unstorableValue(request.body);
  next(path === undefined ? undefined : new RejectionError(outOfRange(path)));
}

function outOfRange(path: string) {
  const message = 'is a number that cannot be stored: it is beyond the range of 64-bit floating point';
  const text = {
    what: 'the body was refused',
    why: `${path || '/'} ${message}`,
    fix: 'Send a smaller number, or a string',
  };
  return reject('malformed', 'malformed-input', text, [{ path, message }]);
}

function hasBody({ headers }: Request): boolean {
  const length = headers['content-length'];
  return headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0');
}
