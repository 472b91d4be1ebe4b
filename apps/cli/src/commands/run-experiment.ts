import { setTimeout } from 'node:timers/promises';
import type { Experiment, ExperimentEstimate } from '#lib/histories';
import { isJsonObject, present } from '#lib/kernel';
import { InvalidInput, RunFailed } from '../error-classes.js';
import {
  estimateLines,
  estimateMarkdown,
  experimentLines,
  experimentMarkdown,
  headingOf,
  progressLine,
} from '../format/experiments.js';
import type { GlobalOptions, TokenOption } from '../input/options.js';
import { readJsonFile } from '../input/read-json.js';
import { type Io, type Paint, printLines, printResult } from '../io.js';
import { type Call, withOperations } from '../operations/call-operation.js';

interface FollowOptions extends GlobalOptions, TokenOption {
  readonly markdown?: true;
  readonly key?: string;
}

interface RunExperimentOptions extends FollowOptions {
  readonly dryRun?: true;
}

interface ResumeExperimentOptions extends FollowOptions {
  readonly maxCalls?: number;
  readonly maxCostUsd?: number;
}

/** The pause between two looks at an experiment that runs. */
const PAUSE_MS = 500;

/** Starts an experiment, and follows it until it has ended: its progress on standard error, then its report. */
export async function runExperiment(options: RunExperimentOptions, io: Io, file: string): Promise<void> {
  const { dryRun } = options;
  const body = await readJsonFile(file);
  if (!isJsonObject(body))
    throw new InvalidInput(file, 'it is no JSON object', 'Give the body of an experiment');
  const answer = await withOperations('startExperiment', options, io, async (call) => {
    const started = await call('startExperiment', { ...body, ...(dryRun && { dryRun }) });
    return 'experimentId' in started ? followed(call, started, io) : started;
  });
  print(options, io, answer);
}

/**
 * Follows an experiment to its end as `runExperiment` does. A running one is resumed only under new limits: otherwise it only lacks a
 * process.
 */
export async function resumeExperiment(
  options: ResumeExperimentOptions,
  io: Io,
  experimentId: string,
): Promise<void> {
  const { maxCalls, maxCostUsd: maxCostUSD } = options;
  const caps = present({ maxCalls, maxCostUSD });
  const answer = await withOperations('resumeExperiment', options, io, async (call) => {
    const found = await call('getExperiment', { experimentId });
    const isFollowed = found.status === 'running' && Object.keys(caps).length === 0;
    const resumed = isFollowed ? found : await call('resumeExperiment', { experimentId, ...caps });
    return followed(call, resumed, io);
  });
  print(options, io, answer);
}

async function followed(call: Call, started: Experiment, io: Io): Promise<Experiment> {
  const { experimentId } = started;
  let experiment = started;
  let shown = '';
  if (started.status === 'running')
    printLines(io.err, [
      headingOf(started),
      `after an interruption: redial experiment resume ${experimentId}`,
    ]);
  while (experiment.status === 'running') {
    await setTimeout(PAUSE_MS);
    experiment = await call('getExperiment', { experimentId });
    const line = progressLine(experiment);
    if (line !== shown) printLines(io.err, [line]);
    shown = line;
  }
  return experiment;
}

/** @throws RunFailed after the report of an experiment that failed */
function print({ markdown, json }: FollowOptions, io: Io, answer: Experiment | ExperimentEstimate): void {
  if (markdown && !json) printLines(io.out, markdownOf(answer));
  else printResult(io, json, answer, linesOf);
  if (!('failure' in answer) || !answer.failure) return;
  const { experimentId, failure } = answer;
  throw new RunFailed(
    `experiment ${experimentId}`,
    failure.message,
    'Read its report, and start another one',
  );
}

function linesOf(answer: Experiment | ExperimentEstimate, paint: Paint): readonly string[] {
  return 'report' in answer ? experimentLines(answer, paint) : estimateLines(answer);
}

function markdownOf(answer: Experiment | ExperimentEstimate): readonly string[] {
  return 'report' in answer ? experimentMarkdown(answer) : estimateMarkdown(answer);
}
