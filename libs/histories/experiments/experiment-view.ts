import { recordedCalls } from '#lib/call-rules';
import { solicitation } from '#lib/decisions/solicitation';
import type { EventLog, StreamHistory } from '#lib/event-store';
import type { RecordedEvent } from '#lib/kernel';
import { refuse } from '#lib/operations/core';
import { foldRun, type Rules, scriptOf, type ScriptState, type WorkflowStarted } from '#lib/workflow';
import type { Batch } from './batch.script.js';
import { experimentBatch } from './batch.workflow.js';
import { addSpent, asksOf, type Experiment, experimentDecider, NOTHING_SPENT } from './experiment.decider.js';
import type { ExperimentAnswer, ExperimentEvent, ExperimentSpent } from './experiment.events.js';
import { unknownExperiment } from './experiment.rejections.js';
import type { Experiment as ExperimentView } from './experiments.views.js';
import { type Answered, reportOf } from './report.rules.js';

/** An experiment as recorded in its stream and its batches. */
export interface KnownExperiment {
  readonly experiment: Experiment;
  readonly startedAt: string;
  /** The time of its present status; absent while it runs. */
  readonly endedAt?: string;
  /** By the numbers of the asks. */
  readonly answers: readonly (ExperimentAnswer | undefined)[];
  readonly spent: ExperimentSpent;
}

/** The current experiment. Batches whose end is not recorded are read from their runs. @throws RejectionError `unknown-experiment` */
export async function knownExperiment(log: EventLog, experimentId: string): Promise<KnownExperiment> {
  const history = await log.load<ExperimentEvent>(log.streams.of('experiment', experimentId));
  const known = experimentIn(history) ?? refuse(unknownExperiment(experimentId));
  const answers = [...known.answers];
  let { spent } = known;
  for (const { batchId, answers: ended } of known.experiment.batches) {
    const batch = ended ? undefined : await batchOf(log, batchId);
    if (!batch) continue;
    for (const { ask, answer } of batch.answers.values()) answers[Number(ask.id)] = answer;
    spent = addSpent(spent, batch.spent);
    if (known.experiment.status !== 'running') spent = addSpent(spent, await spentInVain(log, batch));
  }
  return { ...known, answers, spent };
}

/** The calls of asks that were given up: the ends of their solicitations do not list them. */
async function spentInVain(log: EventLog, { asked, answers }: Batch): Promise<ExperimentSpent> {
  let calls = 0;
  for (const [ask, runId] of asked) {
    if ((answers.get(ask)?.calls.length ?? 0) > 0) continue;
    const events = await log.readStream(log.streams.of(solicitation.name, runId));
    calls += events.filter(({ type }) => type === 'LlmCallRequested').length;
  }
  return { ...NOTHING_SPENT, calls };
}

/** The experiment as recorded in its stream: without the answers of batches whose end is not recorded. */
export function experimentIn({ events }: StreamHistory<ExperimentEvent>): KnownExperiment | undefined {
  const [first] = events;
  const { experiment, endedAt } = ending(events);
  if (!experiment || !first) return undefined;
  const answers = Array<ExperimentAnswer | undefined>(asksOf(experiment.started)).fill(undefined);
  for (const { from, answers: ended = [] } of experiment.batches)
    for (const [index, answer] of ended.entries()) answers[from + index] = answer;
  const { spent } = experiment;
  return {
    experiment,
    startedAt: first.occurredAt,
    answers,
    spent,
    ...(endedAt !== undefined && { endedAt }),
  };
}

/** The state, and the time of its present status. */
function ending(events: readonly RecordedEvent<ExperimentEvent>[]) {
  let experiment = experimentDecider.initialState;
  let endedAt: string | undefined;
  for (const event of events) {
    const before = experiment?.status ?? 'running';
    experiment = experimentDecider.evolve(experiment, event);
    if (experiment && experiment.status !== before)
      endedAt = experiment.status === 'running' ? undefined : event.occurredAt;
  }
  return { experiment, endedAt };
}

/** The script of a batch, up to the last event of its run; `undefined` before its start. */
export async function batchOf(log: EventLog, batchId: string): Promise<Batch | undefined> {
  const events = await log.readStream(log.streams.of(experimentBatch.name, batchId));
  const [start] = events as readonly RecordedEvent<WorkflowStarted>[];
  if (!start) return undefined;
  const rules = experimentBatch.versions[start.data.version] as Rules<ScriptState<Batch>>;
  return scriptOf(foldRun(rules, recordedCalls, events).state);
}

/** The part of an experiment that its report needs. */
export function answeredOf({ experiment: { started }, answers }: KnownExperiment): Answered {
  const { points, variants, samples, baseline, margin } = started;
  return { points, variants: variants.map(({ name }) => name), samples, baseline, margin, answers };
}

export function experimentView(known: KnownExperiment): ExperimentView {
  const { experiment, startedAt, endedAt, answers, spent } = known;
  const { started, status, stoppedBy, failure, caps } = experiment;
  const { points, maxCalls: _, maxCostUSD: __, ...about } = started;
  const given = answers.filter((answer) => answer !== undefined);
  return {
    ...about,
    ...caps,
    status,
    ...(stoppedBy && { stoppedBy }),
    ...(failure && { failure }),
    points: points.length,
    startedAt,
    ...(endedAt !== undefined && { endedAt }),
    progress: {
      done: given.length,
      total: answers.length,
      failed: given.filter(({ failure: failed }) => failed !== undefined).length,
    },
    spent,
    report: reportOf(answeredOf(known)),
  };
}
