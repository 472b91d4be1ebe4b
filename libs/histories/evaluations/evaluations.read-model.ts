import { isRejection, type JsonObject, type RecordedEvent, type Rejection } from '#lib/kernel';
import {
  type Handler,
  hidden,
  insertRow,
  json,
  machineOfSpecialist,
  optional,
  type Page,
  pageOfRows,
  type PageRequest,
  type Projection,
  recordOf,
  type RecordOf,
  type Rows,
  type SchemaOf,
  type SpecialistName,
  table,
  time,
  updateRow,
  word,
} from '#lib/read-models';
import { givenUpEnd, type RunEnd, type RuntimeEvent } from '#lib/workflow';
import type { Against, EvaluationInput } from './evaluation.input.js';
import { evaluation } from './evaluation.workflow.js';
import { endOf } from './evaluation-view.js';
import type { EvaluationSummary } from './evaluations.views.js';

/** Without samples, which are in the log. */
const evaluationsTable = table(
  'evaluations_v2',
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
    position: hidden('text'),
  },
  ['evaluation_id'],
  [['specialist_id', 'position']],
);

const addEvaluation = insertRow(evaluationsTable);

const endEvaluation = updateRow(evaluationsTable, ['evaluation_id'], ['run_end', 'ended_at']);

const onEvaluation: Handler<RuntimeEvent> = (event, evaluationId) => {
  switch (event.type) {
    case 'WorkflowStarted':
      return [started(event.data.input as JsonObject & EvaluationInput, event)];
    case 'WorkflowEnded':
      return [ended(evaluationId, event.data, event)];
    case 'WorkflowGivenUp':
      return [ended(evaluationId, givenUpEnd(event.data.reason), event)];
    default:
      return [];
  }
};

function started({ samples, ...of }: EvaluationInput, { occurredAt, position }: RecordedEvent) {
  return addEvaluation({ ...of, rounds: samples.length, startedAt: occurredAt, position });
}

function ended(evaluationId: string, runEnd: RunEnd, { occurredAt }: RecordedEvent) {
  return endEvaluation({ evaluationId, runEnd, endedAt: occurredAt });
}

/** The evaluations of specialists, with their results. */
export const evaluationsProjection: Projection<'evaluations'> = {
  name: 'evaluations',
  version: 2,
  tables: [evaluationsTable],
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
      .selectFrom('evaluations_v2')
      .selectAll()
      .where('specialist_machine', '=', machineName)
      .where('specialist_id', '=', name.specialistId),
    table: evaluationsTable,
    by: 'position',
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
