import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { type Call, callOf } from '#lib/engine';
import { randomIds } from '#lib/kernel';
import { malformedRequest } from '../problems/problem-error.js';
import { actorOf } from '../security/admit-callers.js';

const PRINTABLE = /^[\x20-\x7e]{1,128}$/;

/** The identity of calls that change something, from their requests. */
@Injectable()
export class Calls {
  /** @throws ProblemError 400 for an Idempotency-Key that cannot be one */
  of(request: Request, body: object): Call {
    const idempotencyKey = keyOf(request);
    const { method, params } = request;
    const { path } = request.route as { readonly path: string };
    const options = { ...actorOf(request), ...(idempotencyKey !== undefined && { idempotencyKey }) };
    return callOf(`${method} ${path} ${JSON.stringify(params)}`, body, options, randomIds);
  }
}

function keyOf(request: Request): string | undefined {
  const key = request.get('idempotency-key');
  if (key === undefined || PRINTABLE.test(key)) return key;
  const message = 'must be 1 to 128 printable ASCII characters';
  throw malformedRequest([{ path: '/Idempotency-Key', message }]);
}
