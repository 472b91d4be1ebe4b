import { setTimeout } from 'node:timers/promises';
import type { Experiment, ExperimentEstimate } from '#lib/histories';
import { isJsonObject } from '#lib/kernel';
import { InvalidInput } from '../error-classes.js';
import { experimentLines, experimentMarkdown, progressLine } from '../format/experiments.js';
import { plainLines } from '../format/table.js';
import type { GlobalOptions, TokenOption } from '../input/options.js';
import { readJsonFile } from '../input/read-json.js';
import { type Io, printLines, printResult } from '../io.js';
import { type Call, withOperations } from '../operations/call-operation.js';

interface RunExperimentOptions extends GlobalOptions, TokenOption {
  readonly dryRun?: true;
  readonly markdown?: true;
  readonly key?: string;
}

/** Between two looks at an experiment that runs. */
const PAUSE_MS = 500;

/** Starts an experiment, and follows it until it has ended: its progress on standard error, then its report. */
export async function runExperiment(options: RunExperimentOptions, io: Io, file: string): Promise<void> {
  const { dryRun, markdown, json } = options;
  const body = await readJsonFile(file);
  if (!isJsonObject(body))
    throw new InvalidInput(file, 'it is no JSON object', 'Give the body of an experiment');
  const answer = await withOperations('startExperiment', options, io, async (call) => {
    const started = await call('startExperiment', { ...body, ...(dryRun && { dryRun }) });
    return 'experimentId' in started ? followed(call, started, io) : started;
  });
  if (markdown && !json && 'report' in answer) printLines(io.out, experimentMarkdown(answer));
  else printResult(io, json, answer, linesOf);
}

function linesOf(answer: Experiment | ExperimentEstimate, paint: Parameters<typeof experimentLines>[1]) {
  return 'report' in answer ? experimentLines(answer, paint) : plainLines(answer);
}

async function followed(call: Call, started: Experiment, io: Io): Promise<Experiment> {
  let experiment = started;
  let shown = '';
  while (experiment.status === 'running') {
    await setTimeout(PAUSE_MS);
    experiment = await call('getExperiment', { experimentId: started.experimentId });
    const line = progressLine(experiment);
    if (line !== shown) printLines(io.err, [line]);
    shown = line;
  }
  return experiment;
}
