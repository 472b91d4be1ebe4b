import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { unknownEvaluation } from '#lib/evaluation';
import { EventLog } from '#lib/event-store';
import { refuse } from '#lib/operations';
import { type EvaluationReplayReport, verifyEvaluation } from '#lib/replay';
import { VerifyEvaluationQuery } from './verify-evaluation.query.js';

@QueryHandler(VerifyEvaluationQuery)
export class VerifyEvaluationHandler implements IQueryHandler<VerifyEvaluationQuery> {
  constructor(private readonly log: EventLog) {}

  async execute({ evaluationId }: VerifyEvaluationQuery): Promise<EvaluationReplayReport> {
    return (await verifyEvaluation(this.log, evaluationId)) ?? refuse(unknownEvaluation(evaluationId));
  }
}
