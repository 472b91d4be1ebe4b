import { Query } from '@nestjs/cqrs';
import type { ConsensusView } from '#lib/session';

/** What the arbiter says of a session's current round as it is. Nothing is written. */
export class ConsensusQuery extends Query<ConsensusView> {
  constructor(
    readonly sessionId: string,
    readonly minPosition?: string,
  ) {
    super();
  }
}
