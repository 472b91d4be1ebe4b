import { Command } from '@nestjs/cqrs';
import { IsIn, IsNumber, IsString, MaxLength, Min } from 'class-validator';
import {
  answeredBy,
  currentContext,
  Describe,
  IsId,
  IsWhole,
  markCreated,
  Operation,
  Optional,
  page,
  PageQuery,
  ReadQuery,
  readsRows,
} from '#lib/operations';
import type { Page } from '#lib/read-models';
import type { ExperimentStatus } from './experiment.decider.js';
import { unknownExperiment } from './experiment.rejections.js';
import { Experiments } from './experiments.js';
import { listExperiments } from './experiments.read-model.js';
import {
  Experiment,
  EXPERIMENT_STATUSES,
  ExperimentItem,
  ExperimentSummary,
  FLIPS,
} from './experiments.views.js';
import { StartExperiment } from './start-experiment.operation.js';
import type { Flip } from './statistics.js';

export { StartExperiment };

export const StartExperimentHandler = answeredBy(
  StartExperiment,
  [Experiments],
  async (command, experiments) => {
    if (command.dryRun === true) return experiments.estimate(command);
    const experiment = await experiments.start(command, currentContext());
    markCreated();
    return experiment;
  },
);

@Operation({
  summary: 'Experiments, newest first',
  http: 'GET /v1/experiments',
  cli: 'experiments list',
  access: 'viewer',
  answers: { 200: page(ExperimentSummary) },
})
export class ListExperiments extends PageQuery<Page<ExperimentSummary>> {
  @Optional()
  @IsIn(EXPERIMENT_STATUSES)
  status?: ExperimentStatus;
}

export const ListExperimentsHandler = readsRows(ListExperiments, ['experiments'], (db, query) =>
  listExperiments(db, query, query),
);

@Operation({
  summary: 'An experiment: its progress, what it has spent, and the report on what is answered so far',
  http: 'GET /v1/experiments/:experimentId',
  cli: 'experiments show <experimentId>',
  access: 'viewer',
  answers: { 200: Experiment },
})
export class GetExperiment extends ReadQuery<Experiment> {
  @IsId(unknownExperiment) experimentId!: string;
}

export const GetExperimentHandler = answeredBy(
  GetExperiment,
  [Experiments],
  ({ experimentId }, experiments) => experiments.get(experimentId),
);

@Operation({
  summary: 'The points of an experiment, with the decision and each answer',
  http: 'GET /v1/experiments/:experimentId/items',
  cli: 'experiments items <experimentId>',
  access: 'viewer',
  answers: { 200: page(ExperimentItem) },
})
export class ListExperimentItems extends PageQuery<Page<ExperimentItem>> {
  @IsId(unknownExperiment) experimentId!: string;

  @Describe('The variant that `flip` is about; default: the first that is not the baseline')
  @Optional()
  @IsString()
  variant?: string;

  @Describe('Only points where the variant answers so; `negative`: otherwise than the person who decided')
  @Optional()
  @IsIn(FLIPS)
  flip?: Flip;
}

export const ListExperimentItemsHandler = answeredBy(
  ListExperimentItems,
  [Experiments],
  ({ experimentId, ...query }, experiments) => experiments.items(experimentId, query, query),
);

@Operation({
  summary: 'Go on with an experiment that its limits stopped',
  http: 'POST /v1/experiments/:experimentId/resume',
  access: 'operator',
  answers: { 200: Experiment },
})
export class ResumeExperiment extends Command<Experiment> {
  @IsId(unknownExperiment) experimentId!: string;

  @Describe('The new total: what was spent counts')
  @Optional()
  @IsNumber()
  @Min(0)
  maxCostUSD?: number;

  @Describe('The new total: calls that were made count')
  @Optional()
  @IsWhole(1)
  maxCalls?: number;
}

export const ResumeExperimentHandler = answeredBy(
  ResumeExperiment,
  [Experiments],
  async (command, experiments) => experiments.resume(command, currentContext()),
);

@Operation({
  summary: 'End an experiment: calls without an answer are given up, and nothing else is asked',
  http: 'POST /v1/experiments/:experimentId/cancel',
  cli: 'experiments cancel <experimentId>',
  access: 'operator',
  destructive: true,
  answers: { 200: Experiment },
})
export class CancelExperiment extends Command<Experiment> {
  @IsId(unknownExperiment) experimentId!: string;

  @Optional()
  @IsString()
  @MaxLength(4_096)
  reason?: string;
}

export const CancelExperimentHandler = answeredBy(
  CancelExperiment,
  [Experiments],
  async (command, experiments) => experiments.cancel(command, currentContext()),
);
