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
  summary: 'An experiment: its progress, its spending, and the report on the answers so far',
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
  problems: [422],
})
export class ListExperimentItems extends input(Query<Page<ExperimentItem>>, {
  experimentId: is.idOf(unknownExperiment),
  variant: is.text.optional.about('The variant of `flip`; default: the first that is not the baseline'),
  flip: is
    .oneOf(FLIPS)
    .optional.about(
      'Only points with this effect of the variant; `negative`: the baseline agreed with the person who decided, and the variant does not',
    ),
  ...pageMembers,
}) {}

export const ListExperimentItemsHandler = answeredBy(
  ListExperimentItems,
  [Experiments],
  ({ experimentId, ...query }, experiments) => experiments.items(experimentId, query, query),
);

@Operation({
  summary: 'Resume an experiment that its limits stopped',
  http: 'POST /v1/experiments/:experimentId/resume',
  access: 'operator',
  answers: { 200: Experiment },
})
export class ResumeExperiment extends input(Command<Experiment>, {
  experimentId: is.idOf(unknownExperiment),
  maxCostUSD: is.amount.optional.about('The new limit of the total, which includes earlier spending'),
  maxCalls: is.whole(1).optional.about('The new limit of the total, which includes earlier calls'),
}) {}

export const ResumeExperimentHandler = answeredBy(
  ResumeExperiment,
  [Experiments],
  async (command, experiments) => experiments.resume(command, currentContext()),
);

@Operation({
  summary: 'End an experiment: open calls are given up, and no further call is made',
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
