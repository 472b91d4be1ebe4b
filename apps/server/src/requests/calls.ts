import { Inject, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { type Call, callOf, Environment } from '#lib/engine';
import { randomIds } from '#lib/kernel';
import { malformedRequest } from '../problems/problem-error.js';

const PRINTABLE = /^[\x20-\x7e]{1,128}$/;

/** The identity of calls that change something, from their requests. */
@Injectable()
export class Calls {
  constructor(@Inject(Environment) private readonly environment: Environment) {}

  /**
   * Where the server has a token, who acts as a human must prove it; elsewhere only a proof that is offered must be right.
   * @throws ProblemError 400 for an Idempotency-Key that cannot be one
   */
  of(request: Request, body: object): Call {
    const idempotencyKey = keyOf(request);
    const actorToken = request.get('redial-actor-token');
    const mustProve = actorToken !== undefined || this.environment.REDIAL_API_TOKEN !== undefined;
    return callOf(
      `${request.method} ${request.path}`,
      body,
      {
        ...(idempotencyKey !== undefined && { idempotencyKey }),
        ...(mustProve && { proof: actorToken === undefined ? {} : { actorToken } }),
      },
      randomIds,
    );
  }
}

function keyOf(request: Request): string | undefined {
  const key = request.get('idempotency-key');
  if (key === undefined || PRINTABLE.test(key)) return key;
  const message = 'must be 1 to 128 printable ASCII characters';
  throw malformedRequest([{ path: '/Idempotency-Key', message }]);
}
