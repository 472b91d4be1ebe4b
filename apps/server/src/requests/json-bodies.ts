import type { NextFunction, Request, Response } from 'express';
import { UnsupportedMediaTypeException } from '@nestjs/common';

/** 1 MiB. */
export const BODY_LIMIT = 1_048_576;

/** Before the parser: a body of another type is not read at all. That also keeps other sites' plain forms out. */
export function onlyJson(request: Request, _response: Response, next: NextFunction): void {
  const isRead = ['GET', 'HEAD', 'OPTIONS'].includes(request.method);
  const isOther = hasBody(request) && request.is('application/json') === false;
  next(!isRead && isOther ? new UnsupportedMediaTypeException() : undefined);
}

/** After the parser, which makes `{}` of an empty body: nothing is not an object. */
export function noBodyIsNone(request: Request, _response: Response, next: NextFunction): void {
  if (!hasBody(request)) request.body = undefined;
  next();
}

function hasBody({ headers }: Request): boolean {
  const length = headers['content-length'];
  return headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0');
}
