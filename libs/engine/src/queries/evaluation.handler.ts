import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import type { EvaluationView } from '#lib/evaluation';
import { ReadSide } from '#lib/operations';
import { Evaluator } from '../evaluations/evaluator.js';
import { EvaluationQuery } from './evaluation.query.js';

@QueryHandler(EvaluationQuery)
export class EvaluationHandler implements IQueryHandler<EvaluationQuery> {
  constructor(
    private readonly evaluator: Evaluator,
    private readonly reads: ReadSide,
  ) {}

  /** The log, which has at once what was acknowledged, is all it reads: a `minPosition` is only looked at. */
  async execute({ evaluationId, minPosition }: EvaluationQuery): Promise<EvaluationView> {
    if (minPosition !== undefined) await this.reads.reached([], minPosition);
    return this.evaluator.get(evaluationId);
  }
}
