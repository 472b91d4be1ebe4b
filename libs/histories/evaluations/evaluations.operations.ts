import { Command, Query } from '@nestjs/cqrs';
import { IsIn } from 'class-validator';
import type { Against } from './evaluation.input.js';
import { listEvaluations } from './evaluations.read-model.js';
import { unknownEvaluation } from './evaluation.rejections.js';
import { verifyEvaluation } from './verify-evaluation.js';
import { EventLog } from '#lib/event-store';
import {
  answered,
  answeredBy,
  currentContext,
  currentScope,
  Describe,
  IsId,
  IsName,
  IsWhole,
  oneOf,
  Operation,
  Optional,
  page,
  PageQuery,
  ReadQuery,
  ReadSide,
  readsRows,
} from '#lib/operations';
import type { Page } from '#lib/read-models';
import { unknownSpecialist } from '#lib/decisions/specialists';
import { MACHINE_OF_SPECIALIST } from '#lib/decisions/registration';
import {
  Evaluation,
  EvaluationReplayReport,
  EvaluationSummary,
  RecordedEvaluation,
} from './evaluations.views.js';
import { Evaluations } from './evaluations.js';

const AGAINST = ['exemplars', 'decisions', 'record'] as const;

@Operation({
  summary:
    'Ask a specialist again about past rounds of all states, and compare with the decisions; no session changes',
  http: 'POST /v1/specialists/:specialistId/evaluations',
  query: { machineName: 'specialistMachine' },
  cli:
    'evaluate <specialistId> --against <against=exemplars> --rounds <maxRounds=50> ' +
    '--machine <specialistMachine> --rounds-of <machineName>',
  access: 'operator',
  answers: { 200: oneOf(Evaluation, RecordedEvaluation), 201: oneOf(Evaluation, RecordedEvaluation) },
  problems: [503],
})
export class EvaluateSpecialist extends Command<Evaluation | RecordedEvaluation> {
  @IsName(unknownSpecialist) specialistId!: string;

  @Describe('The machine of the specialist: needed if several have one of this id')
  @Optional()
  @IsName()
  specialistMachine?: string;

  @Describe(
    'Compared with the decisions of people, with every decision, or, with `record`, its own past proposals without a new call',
  )
  @IsIn(AGAINST)
  against!: Against | 'record';

  @Describe("The machine whose rounds, in all its states; default: the specialist's", { example: 'refunds' })
  @Optional()
  @IsName()
  machineName?: string;

  @Describe('Default: the current version')
  @Optional()
  @IsWhole(1)
  specialistVersion?: number;

  @Describe('Past rounds at most, the newest, of all states together', { default: 50 })
  @Optional()
  @IsWhole(1, 500)
  maxRounds?: number;
}

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
export class ListEvaluations extends PageQuery<Page<EvaluationSummary>> {
  @IsName(unknownSpecialist) specialistId!: string;

  @Describe(MACHINE_OF_SPECIALIST)
  @Optional()
  @IsName()
  machineName?: string;
}

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
export class GetEvaluation extends ReadQuery<Evaluation> {
  @IsId(unknownEvaluation) evaluationId!: string;
}

export const GetEvaluationHandler = answeredBy(
  GetEvaluation,
  [Evaluations, ReadSide],
  async ({ evaluationId }, evaluations, reads) => {
    await reads.checkPosition(currentScope().minPosition);
    return evaluations.get(evaluationId);
  },
);

@Operation({
  summary: 'Derive every derived event of an evaluation again, and compare; nothing is written',
  http: 'POST /v1/evaluations/:evaluationId/replay',
  cli: 'evaluations replay <evaluationId>',
  access: 'viewer',
  answers: { 200: EvaluationReplayReport },
})
export class ReplayEvaluation extends Query<EvaluationReplayReport> {
  @IsId(unknownEvaluation) evaluationId!: string;
}

export const ReplayEvaluationHandler = answeredBy(
  ReplayEvaluation,
  [EventLog],
  async ({ evaluationId }, log) =>
    (await verifyEvaluation(log, evaluationId)) ?? unknownEvaluation(evaluationId),
);
