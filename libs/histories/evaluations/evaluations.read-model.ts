import { isRejection, type JsonObject, type Rejection } from '#lib/kernel';
import {
  documents,
  type FoldPage,
  foldedTable,
  type Folds,
  hidden,
  json,
  machineOfSpecialist,
  optional,
  type Page,
  pageOfRows,
  type PageRequest,
  type ReadModel,
  recordOf,
  type RecordOf,
  type Rows,
  type SchemaOf,
  type SpecialistName,
  time,
  word,
} from '#lib/read-models';
import { givenUpEnd, type RunEnd, type RuntimeEvent } from '#lib/workflow';
import type { ExperimentAnswer, ExperimentEvent, ExperimentPoint } from '../experiments/experiment.events.js';
import type { Against, EvaluationInput } from './evaluation.input.js';
import { evaluationResult } from './evaluation-result.rules.js';
import { evaluation } from './evaluation.workflow.js';
import { endOf } from './evaluation-view.js';
import type { EvaluationSummary } from './evaluations.views.js';

/** The decisions of the points of an experiment, and the answers of the ended batches, in the same order. */
interface Compared {
  readonly decided: readonly Pick<ExperimentPoint, 'transitionName' | 'toState'>[];
  readonly answers: readonly ExperimentAnswer[];
}

/** Without samples: they are read from the log. */
const evaluationsTable = foldedTable(
  'evaluations',
  {
    evaluation_id: 'text',
    specialist_id: 'text',
    specialist_version: 'integer',
    specialist_machine: 'text',
    machine_name: 'text',
    against: word<Against>(),
    rounds: 'integer',
    /** How the run ended. */
    run_end: optional(json<RunEnd>()),
    started_at: time,
    ended_at: optional(time),
    /** Of a running experiment. */
    compared: hidden(optional(json<Compared>())),
    number: hidden('bigint'),
  },
  ['evaluation_id'],
  [['specialist_id', 'number']],
);

const evaluations = documents(evaluationsTable, 'evaluation_id');

const onEvaluation: Folds<RuntimeEvent> = {
  WorkflowStarted: (page, { data, occurredAt, number }, evaluationId) => {
    const { samples, ...of } = data.input as JsonObject & EvaluationInput;
    const { specialistId, specialistVersion, specialistMachine, machineName, against } = of;
    page.put(evaluations, {
      evaluationId,
      specialistId,
      specialistVersion,
      specialistMachine,
      machineName,
      against,
      rounds: samples.length,
      startedAt: occurredAt,
      number,
    });
  },
  WorkflowEnded: (page, { data, occurredAt }, id) => ended(page, id, data, occurredAt),
  WorkflowGivenUp: (page, { data, occurredAt }, id) => ended(page, id, givenUpEnd(data), occurredAt),
};

function ended(page: FoldPage, evaluationId: string, runEnd: RunEnd, endedAt: string): void {
  const found = page.change(evaluations, evaluationId);
  if (found) Object.assign(found, { runEnd, endedAt });
}

const onExperiment: Folds<ExperimentEvent> = {
  ExperimentStarted: (page, { data, occurredAt, number }, evaluationId) => {
    const { evaluation: asked, points, machineName, variants } = data;
    const [variant] = variants;
    if (!asked || !variant) return;
    const { specialistId, specialistVersion, specialistMachine } = variant;
    const decided = points.map(({ transitionName, toState }) => ({ transitionName, toState }));
    page.put(evaluations, {
      evaluationId,
      specialistId,
      specialistVersion,
      specialistMachine,
      machineName,
      against: asked.against,
      rounds: points.length,
      startedAt: occurredAt,
      compared: { decided, answers: [] },
      number,
    });
    endIfWhole(page, evaluationId, occurredAt);
  },
  ExperimentBatchEnded: (page, { data, occurredAt }, id) => {
    const found = page.change(evaluations, id);
    if (!found?.compared) return;
    const { decided, answers } = found.compared;
    found.compared = { decided, answers: [...answers, ...data.answers] };
    endIfWhole(page, id, occurredAt);
  },
  ExperimentBatchFailed: (page, { data, occurredAt }, id) =>
    endCompared(page, id, { status: 'failed', failure: data.failure }, occurredAt),
  ExperimentCancelled: (page, { occurredAt }, id) =>
    endCompared(page, id, { status: 'cancelled' }, occurredAt),
};

function endIfWhole(page: FoldPage, id: string, endedAt: string): void {
  const { decided = [], answers = [] } = page.change(evaluations, id)?.compared ?? {};
  if (answers.length < decided.length) return;
  const samples = decided.map(({ toState }, place) => ({ sampleId: String(place), toState }));
  const scored = answers.map((answer, place) => ({
    ...answer,
    sampleId: String(place),
    matches: answer.transitionName === decided[place]?.transitionName,
  }));
  endCompared(page, id, { status: 'completed', result: { ...evaluationResult(samples, scored) } }, endedAt);
}

/** Events after the end of an experiment change no row. */
function endCompared(page: FoldPage, id: string, runEnd: RunEnd, endedAt: string): void {
  const found = page.change(evaluations, id);
  if (found?.compared) Object.assign(found, { runEnd, endedAt, compared: undefined });
}

/** The evaluations of specialists, with their results: experiments, and the runs of releases before 0.3. */
export const evaluationsModel: ReadModel<'evaluations'> = {
  name: 'evaluations',
  kinds: [evaluations],
  of: { evaluation: [evaluations], experiment: [evaluations] },
  on: { [evaluation.name]: onEvaluation, experiment: onExperiment },
};

/** The evaluations of a specialist, newest first. */
export async function listEvaluations(
  db: Rows<'evaluations' | 'specialists'>,
  name: SpecialistName,
  request: PageRequest = {},
): Promise<Page<EvaluationSummary> | Rejection> {
  const machineName = await machineOfSpecialist(db, name);
  if (isRejection(machineName)) return machineName;
  return pageOfRows(request, {
    list: 'evaluations',
    rows: db
      .withTables<SchemaOf<typeof evaluationsTable>>()
      .selectFrom(evaluationsTable.name)
      .selectAll()
      .where('specialist_machine', '=', machineName)
      .where('specialist_id', '=', name.specialistId),
    table: evaluationsTable,
    by: 'number',
    order: 'desc',
    toItems: (rows) => rows.map((row) => evaluationSummary(recordOf(evaluationsTable, row))),
  });
}

function evaluationSummary({
  runEnd,
  endedAt,
  ...evaluation
}: RecordOf<typeof evaluationsTable>): EvaluationSummary {
  const came = endOf(runEnd, endedAt);
  return {
    ...evaluation,
    ...came,
    ...(typeof came.totalCostUSD === 'number' && { costUSD: came.totalCostUSD }),
  };
}
