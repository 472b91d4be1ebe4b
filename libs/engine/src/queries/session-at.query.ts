import { Query } from '@nestjs/cqrs';
import type { SessionView } from '#lib/session';

/** A session as it was right after a revision of its stream, from the log. */
export class SessionAtQuery extends Query<SessionView> {
  constructor(
    readonly sessionId: string,
    readonly revision: number,
    readonly minPosition?: string,
  ) {
    super();
  }
}
