import { isRejection, type JsonObject, type Rejection } from '#lib/kernel';
import {
  documents,
  type FoldPage,
  foldedTable,
  type Folds,
  hidden,
  json,
  machineOfSpecialist,
  numberInKey,
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
import type { Against, EvaluationInput } from './evaluation.input.js';
import { evaluation } from './evaluation.workflow.js';
import { endOf } from './evaluation-view.js';
import type { EvaluationSummary } from './evaluations.views.js';

/** Without samples, which are in the log. */
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
  WorkflowGivenUp: (page, { data, occurredAt }, id) => ended(page, id, givenUpEnd(data.reason), occurredAt),
};

function ended(page: FoldPage, evaluationId: string, runEnd: RunEnd, endedAt: string): void {
  const found = page.change(evaluations, evaluationId);
  if (found) Object.assign(found, { runEnd, endedAt });
}

/** The evaluations of specialists, with their results. */
export const evaluationsModel: ReadModel<'evaluations'> = {
  name: 'evaluations',
  kinds: [evaluations],
  of: { evaluation: [evaluations] },
  on: { [evaluation.name]: onEvaluation },
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
    readKey: numberInKey,
    order: 'desc',
    toItems: (rows) => rows.map((row) => evaluationSummary(recordOf(evaluationsTable, row))),
  });
}

function evaluationSummary({
  runEnd,
  endedAt,
  ...evaluation
}: RecordOf<typeof evaluationsTable>): EvaluationSummary {
  const came = endOf(runEnd, endedAt === undefined ? undefined : { occurredAt: endedAt });
  return {
    ...evaluation,
    ...came,
    ...(typeof came.totalCostUSD === 'number' && { costUSD: came.totalCostUSD }),
  };
}
