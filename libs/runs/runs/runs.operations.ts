import { Command, Query } from '@nestjs/cqrs';
import {
  answeredBy,
  currentContext,
  input,
  is,
  labelledPageMembers,
  markCreated,
  markFleeting,
  Operation,
  ownLabels,
  page,
  pastMembers,
  readsRows,
  standIn,
  Subjects,
} from '#lib/operations';
import type { Page } from '#lib/read-models';
import { runRejections } from '#lib/workflow';
import { signalOf } from './signal-of.js';
import { RUN_STATUSES, RunSummary, RunView } from './run.views.js';
import { listRuns } from './runs.queries.js';
import { PeopleGate } from './people-gate.js';
import { Runs } from './runs.js';

const waitMs = is
  .whole(0, 60_000)
  .optional.about('Milliseconds to wait for the run to end, or to wait for a person', { default: 0 });

@Operation({
  summary: 'Start a run of a workflow',
  http: 'POST /v1/runs',
  cli: 'runs start <workflow> --unique-key <key>',
  access: 'operator',
  answers: { 200: RunView, 201: RunView },
  problems: [404],
})
export class StartRun extends input(Command<RunView>, {
  workflow: is.textUpTo(64).about('The name of the workflow'),
  input: is.json().about('An input that fits the schema of the workflow'),
  ...ownLabels('run', 'workflow'),
  waitMs,
}) {}

export const StartRunHandler = answeredBy(
  StartRun,
  [Runs, Subjects],
  async ({ waitMs = 0, ...start }, runs, subjects) => {
    const context = currentContext();
    await subjects.begin(start.subject, context);
    const { runId, isNew } = await runs.start(start, context);
    markCreated(isNew);
    const started = await runs.after(context, runId);
    if (waitMs === 0) return started;
    markFleeting();
    return runs.settled(runId, waitMs, context);
  },
);

@Operation({
  summary: 'Runs of all workflows, newest first',
  http: 'GET /v1/runs',
  cli: 'runs list',
  access: 'viewer',
  answers: { 200: page(RunSummary) },
})
export class ListRuns extends input(Query<Page<RunSummary>>, {
  workflow: is.text.optional.about('Only of this workflow'),
  status: is.oneOf(RUN_STATUSES).optional.about('Only of this status'),
  from: is.time.optional.about('Started at or after this time'),
  to: is.time.optional.about('Started before this time'),
  forkedFrom: is.id.optional.about('Only forks of this run'),
  ...labelledPageMembers,
}) {}

export const ListRunsHandler = readsRows(ListRuns, ['runs', 'llm_calls', 'labels'], (db, query) =>
  listRuns(db, query, query),
);

@Operation({
  summary: 'A run: its status, its open awaits, its result',
  http: 'GET /v1/runs/:runId',
  cli: 'runs show <runId>',
  access: 'viewer',
  answers: { 200: RunView },
})
export class GetRun extends input(Query<RunView>, {
  runId: is.idOf(runRejections.unknownRun),
  waitMs,
  ...pastMembers,
}) {}

export const GetRunHandler = answeredBy(GetRun, [Runs], async ({ runId, waitMs = 0, at }, runs) =>
  (await runs.at(runId, at)).settled(runId, at === undefined ? waitMs : 0, currentContext()),
);

@Operation({
  summary: 'Send a signal that a run waits for',
  http: 'POST /v1/runs/:runId/signals/:name',
  cli: 'runs signal <runId> <name>',
  access: 'reviewer',
  answers: { 200: RunView },
  destructive: true,
  answer: 'payload',
  problems: [410],
})
export class SignalRun extends input(Command<RunView>, {
  runId: is.idOf(runRejections.unknownRun),
  name: is.textUpTo(128).about('The name of the signal'),
  awaitId: is.text.optional.about('Names one await if several wait for the same signal'),
  payload: is.json().about('A payload that fits the schema of the await'),
  actAs: standIn,
}) {}

export const SignalRunHandler = answeredBy(
  SignalRun,
  [Runs, PeopleGate],
  ({ runId, name, ...given }, runs, gate) => {
    const context = currentContext();
    return runs.signal(runId, signalOf(name, given, context), context, gate);
  },
);

@Operation({
  summary: 'Ask a run to end: its calls are aborted, its other open steps are cancelled',
  http: 'POST /v1/runs/:runId/cancel',
  cli: 'runs cancel <runId>',
  access: 'operator',
  answers: { 200: RunView },
  destructive: true,
})
export class CancelRun extends input(Command<RunView>, {
  runId: is.idOf(runRejections.unknownRun),
  reason: is.textUpTo(1024).optional.about('Recorded with the cancellation'),
}) {}

export const CancelRunHandler = answeredBy(CancelRun, [Runs], ({ runId, reason }, runs) =>
  runs.answer(runId, (commands, answer) => commands.cancel(runId, reason, answer), currentContext()),
);
