import { Command, Query } from '@nestjs/cqrs';
import {
  answeredBy,
  currentContext,
  input,
  is,
  markCreated,
  Operation,
  page,
  pageMembers,
  readMembers,
  readsRows,
} from '#lib/operations';
import type { Page } from '#lib/read-models';
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
export class ListExperiments extends input(Query<Page<ExperimentSummary>>, {
  status: is.oneOf(EXPERIMENT_STATUSES).optional,
  ...pageMembers,
}) {}

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
export class GetExperiment extends input(Query<Experiment>, {
  experimentId: is.idOf(unknownExperiment),
  ...readMembers,
}) {}

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
export class ListExperimentItems extends input(Query<Page<ExperimentItem>>, {
  experimentId: is.idOf(unknownExperiment),
  variant: is.text.optional.about(
    'The variant that `flip` is about; default: the first that is not the baseline',
  ),
  flip: is
    .oneOf(FLIPS)
    .optional.about(
      'Only points where the variant answers so; `negative`: otherwise than the person who decided',
    ),
  ...pageMembers,
}) {}

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
export class ResumeExperiment extends input(Command<Experiment>, {
  experimentId: is.idOf(unknownExperiment),
  maxCostUSD: is.amount.optional.about('The new total: what was spent counts'),
  maxCalls: is.whole(1).optional.about('The new total: calls that were made count'),
}) {}

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
export class CancelExperiment extends input(Command<Experiment>, {
  experimentId: is.idOf(unknownExperiment),
  reason: is.textUpTo(4_096).optional,
}) {}

export const CancelExperimentHandler = answeredBy(
  CancelExperiment,
  [Experiments],
  async (command, experiments) => experiments.cancel(command, currentContext()),
);
