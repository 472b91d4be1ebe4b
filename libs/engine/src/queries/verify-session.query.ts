import { Query } from '@nestjs/cqrs';
import type { ReplayReport } from '#lib/replay';

/** Replays a session and its solicitations from the log alone, and compares. Writes nothing. */
export class VerifySessionQuery extends Query<ReplayReport> {
  constructor(readonly sessionId: string) {
    super();
  }
}
