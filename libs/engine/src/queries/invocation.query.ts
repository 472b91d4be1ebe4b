import { Query } from '@nestjs/cqrs';
import type { GateResult } from '#lib/gate';

/** What came of an invocation of a gate by now, from the log. */
export class InvocationQuery extends Query<GateResult> {
  constructor(
    readonly gateId: string,
    readonly sessionId: string,
    readonly minPosition?: string,
  ) {
    super();
  }
}
