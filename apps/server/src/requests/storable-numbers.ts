import type { NextFunction, Request, Response } from 'express';
import { RejectionError } from '#lib/engine';
import { reject, unstorableValue } from '#lib/kernel';

/** After the parser, which makes infinity of `1e999`: a number that no event can hold is refused with its location. */
export function storableNumbers(request: Request, _response: Response, next: NextFunction): void {
  const path = unstorableValue(request.body);
  next(path === undefined ? undefined : new RejectionError(outOfRange(path)));
}

function outOfRange(path: string) {
  const message = 'is a number that cannot be stored: it is beyond the range of 64-bit floating point';
  const text = {
    errorClass: 'MalformedInput',
    what: 'the body was refused',
    why: `${path || '/'} ${message}`,
    fix: 'Send a smaller number, or a string',
  };
  return reject('malformed', 'malformed-input', text, [{ path, message }]);
}
