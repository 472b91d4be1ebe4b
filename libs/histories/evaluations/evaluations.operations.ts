import { Query } from '@nestjs/cqrs';
import { listEvaluations } from './evaluations.read-model.js';
import { unknownEvaluation } from './evaluation.rejections.js';
import { verifyEvaluation } from './verify-evaluation.js';
import { EventLog } from '#lib/event-store';
import {
  answered,
  answeredBy,
  currentContext,
  input,
  is,
  Operation,
  page,
  readMembers,
  readsRows,
} from '#lib/operations';
import type { Page } from '#lib/read-models';
import { specialistPageMembers } from '#lib/decisions/registration';
import { Evaluation, EvaluationReplayReport, EvaluationSummary } from './evaluations.views.js';
import { Evaluations } from './evaluations.js';
import { EvaluateSpecialist } from './evaluate-specialist.js';

export { EvaluateSpecialist };

export const EvaluateSpecialistHandler = answeredBy(
  EvaluateSpecialist,
  [Evaluations],
  async (command, evaluations) => answered(await evaluations.evaluate(command, currentContext())),
);

@Operation({
  summary: 'The evaluations that asked a specialist, newest first, without their samples',
  http: 'GET /v1/specialists/:specialistId/evaluations',
  cli: 'evaluations list <specialistId>',
  access: 'viewer',
  answers: { 200: page(EvaluationSummary) },
  problems: [409],
})
export class ListEvaluations extends input(Query<Page<EvaluationSummary>>, specialistPageMembers) {}

export const ListEvaluationsHandler = readsRows(
  ListEvaluations,
  ['evaluations', 'specialists'],
  (db, query) => listEvaluations(db, query, query),
);

@Operation({
  summary: 'An evaluation: its status, samples and results so far',
  http: 'GET /v1/evaluations/:evaluationId',
  cli: 'evaluations show <evaluationId>',
  access: 'viewer',
  answers: { 200: Evaluation },
})
export class GetEvaluation extends input(Query<Evaluation>, {
  evaluationId: is.idOf(unknownEvaluation),
  ...readMembers,
}) {}

export const GetEvaluationHandler = answeredBy(
  GetEvaluation,
  [Evaluations],
  async ({ evaluationId }, evaluations) => evaluations.get(evaluationId),
);

@Operation({
  summary: 'Derive every derived event of an evaluation again, and compare; no event is written',
  http: 'POST /v1/evaluations/:evaluationId/replay',
  cli: 'evaluations replay <evaluationId>',
  access: 'viewer',
  answers: { 200: EvaluationReplayReport },
})
export class ReplayEvaluation extends input(Query<EvaluationReplayReport>, {
  evaluationId: is.idOf(unknownEvaluation),
}) {}

export const ReplayEvaluationHandler = answeredBy(
  ReplayEvaluation,
  [EventLog],
  async ({ evaluationId }, log) =>
    (await verifyEvaluation(log, evaluationId)) ?? unknownEvaluation(evaluationId),
);
