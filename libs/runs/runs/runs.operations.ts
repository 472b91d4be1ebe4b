import { Command } from '@nestjs/cqrs';
import { IsIn, IsString, MaxLength } from 'class-validator';
import type { Json, Tags } from '#lib/kernel';
import {
  answeredBy,
  currentContext,
  Describe,
  IsId,
  IsJson,
  OwnKey,
  IsTime,
  OwnSubject,
  OwnTags,
  IsWhole,
  LabelledPageQuery,
  markCreated,
  markFleeting,
  Operation,
  Optional,
  page,
  PastQuery,
  readsRows,
  StandIn,
  Subjects,
} from '#lib/operations';
import type { Page } from '#lib/read-models';
import { runRejections } from '#lib/workflow';
import { signalOf } from './signal-of.js';
import { RUN_STATUSES, type RunStatus, RunSummary, RunView } from './run.views.js';
import { listRuns } from './runs.queries.js';
import { PeopleGate } from './people-gate.js';
import { Runs } from './runs.js';

const LONGEST_WAIT_MS = 60_000;

@Operation({
  summary: 'Start a run of a workflow',
  http: 'POST /v1/runs',
  cli: 'runs start <workflow> --unique-key <key>',
  access: 'operator',
  answers: { 200: RunView, 201: RunView },
})
export class StartRun extends Command<RunView> {
  @Describe('The name of the workflow')
  @IsString()
  @MaxLength(64)
  workflow!: string;

  @Describe('As the workflow wants it')
  @IsJson()
  input!: Json;

  @OwnKey('run', 'workflow') key?: string;

  @OwnTags() tags?: Tags;

  @OwnSubject() subject?: string;

  @Describe('Milliseconds to wait for the run to end, or to wait for someone', { default: 0 })
  @Optional()
  @IsWhole(0, LONGEST_WAIT_MS)
  waitMs?: number;
}

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
export class ListRuns extends LabelledPageQuery<Page<RunSummary>> {
  @Describe('Only of this workflow')
  @Optional()
  @IsString()
  workflow?: string;

  @Describe('Only of this status')
  @Optional()
  @IsIn(RUN_STATUSES)
  status?: RunStatus;

  @Describe('Started at or after this time')
  @Optional()
  @IsTime()
  from?: string;

  @Describe('Started before this time')
  @Optional()
  @IsTime()
  to?: string;

  @Describe('Only forks of this run')
  @Optional()
  @IsId()
  forkedFrom?: string;
}

export const ListRunsHandler = readsRows(ListRuns, ['runs', 'llm_calls', 'labels'], (db, query) =>
  listRuns(db, query, query),
);

@Operation({
  summary: 'A run: its status, what it waits for, its result',
  http: 'GET /v1/runs/:runId',
  cli: 'runs show <runId>',
  access: 'viewer',
  answers: { 200: RunView },
})
export class GetRun extends PastQuery<RunView> {
  @IsId(runRejections.unknownRun) runId!: string;

  @Describe('Milliseconds to wait for the run to end, or to wait for someone', { default: 0 })
  @Optional()
  @IsWhole(0, LONGEST_WAIT_MS)
  waitMs?: number;
}

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
})
export class SignalRun extends Command<RunView> {
  @IsId(runRejections.unknownRun) runId!: string;

  @Describe('The name of the signal')
  @IsString()
  @MaxLength(128)
  name!: string;

  @Describe('Names one await if several wait for the same signal')
  @Optional()
  @IsString()
  awaitId?: string;

  @Describe('As the schema of the await wants it')
  @IsJson()
  payload!: Json;

  @StandIn() actAs?: string;
}

export const SignalRunHandler = answeredBy(
  SignalRun,
  [Runs, PeopleGate],
  ({ runId, name, ...given }, runs, gate) => {
    const context = currentContext();
    return runs.signal(runId, signalOf(name, given, context), context, gate);
  },
);

@Operation({
  summary: 'Ask a run to end: its calls are aborted, all else that is open is cancelled',
  http: 'POST /v1/runs/:runId/cancel',
  cli: 'runs cancel <runId>',
  access: 'operator',
  answers: { 200: RunView },
  destructive: true,
})
export class CancelRun extends Command<RunView> {
  @IsId(runRejections.unknownRun) runId!: string;

  @Describe('Recorded with the cancellation')
  @Optional()
  @IsString()
  @MaxLength(1024)
  reason?: string;
}

export const CancelRunHandler = answeredBy(CancelRun, [Runs], ({ runId, reason }, runs) =>
  runs.answer(runId, (commands, answer) => commands.cancel(runId, reason, answer), currentContext()),
);
