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
   * @param actingAs the specialist that the caller acts as; believed where they bring an actor token, which is checked later
   * @throws ProblemError 400 for an Idempotency-Key that cannot be one
   */
  of(request: Request, body: object, actingAs?: string): Call {
    const idempotencyKey = keyOf(request);
    const actorToken = request.get('redial-actor-token');
    const proof = actorToken === undefined ? {} : { actorToken };
    return callOf(
      `${request.method} ${request.path}`,
      body,
      {
        ...(idempotencyKey !== undefined && { idempotencyKey }),
        ...(actorToken !== undefined && actingAs !== undefined && { actor: actingAs }),
        ...(this.environment.REDIAL_API_TOKEN !== undefined && { proof }),
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
