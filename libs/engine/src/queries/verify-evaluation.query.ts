import { Query } from '@nestjs/cqrs';
import type { EvaluationReplayReport } from '#lib/replay';

/** Replays an evaluation and its solicitations from the log alone, and compares. Writes nothing. */
export class VerifyEvaluationQuery extends Query<EvaluationReplayReport> {
  constructor(readonly evaluationId: string) {
    super();
  }
}
