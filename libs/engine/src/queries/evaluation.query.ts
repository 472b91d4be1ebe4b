import { Query } from '@nestjs/cqrs';
import type { EvaluationView } from '#lib/evaluation';

/** An evaluation as it is by now, from the log. */
export class EvaluationQuery extends Query<EvaluationView> {
  constructor(
    readonly evaluationId: string,
    readonly minPosition?: string,
  ) {
    super();
  }
}
