import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import type { GateResult } from '#lib/gate';
import { ReadSide } from '#lib/operations';
import { Invocations } from '../gates/invocations.js';
import { InvocationQuery } from './invocation.query.js';

@QueryHandler(InvocationQuery)
export class InvocationHandler implements IQueryHandler<InvocationQuery> {
  constructor(
    private readonly invocations: Invocations,
    private readonly reads: ReadSide,
  ) {}

  /** The log, which has at once what was acknowledged, is all it reads: a `minPosition` is only looked at. */
  async execute({ gateId, sessionId, minPosition }: InvocationQuery): Promise<GateResult> {
    if (minPosition !== undefined) await this.reads.reached([], minPosition);
    return this.invocations.get(gateId, sessionId);
  }
}
