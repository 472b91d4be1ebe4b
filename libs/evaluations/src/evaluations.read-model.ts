import { isRejection, type JsonObject, jsonText, type RecordedEvent, type Rejection } from '#lib/kernel';
import {
  type Handler,
  insertRow,
  machineOfSpecialist,
  type Page,
  pageOf,
  type PageRequest,
  type Projection,
  type RowOf,
  type Rows,
  type SpecialistName,
  storedText,
  storedTime,
  table,
  textFromStored,
  timeFromStored,
  updateRow,
} from '#lib/projections';
import { givenUpEnd, type RunEnd, type RuntimeEvent } from '#lib/workflow';
import type { Against, EvaluationInput } from './evaluation.input.js';
import { evaluation } from './evaluation.workflow.js';
import { endOf, type EvaluationSummary } from './evaluation-view.js';

/** Without samples, which are in the log. */
const evaluationsTable = table(
  'evaluations_v2',
  {
    evaluation_id: 'text',
    specialist_id: 'text',
    specialist_version: 'integer',
    specialist_machine: 'text',
    machine_name: 'text',
    against: 'text',
    rounds: 'integer',
    /** JSON text of how the run ended. */
    run_end: 'text?',
    started_at: 'bigint',
    ended_at: 'bigint?',
    position: 'text',
  },
  ['evaluation_id'],
  [['specialist_id', 'position']],
);

type Tables = { evaluations_v2: RowOf<typeof evaluationsTable> };

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
  return addEvaluation({
    evaluation_id: of.evaluationId,
    specialist_id: of.specialistId,
    specialist_version: of.specialistVersion,
    specialist_machine: of.specialistMachine,
    machine_name: of.machineName,
    against: of.against,
    rounds: samples.length,
    run_end: null,
    started_at: storedTime(occurredAt),
    ended_at: null,
    position,
  });
}

function ended(evaluationId: string, end: RunEnd, { occurredAt }: RecordedEvent) {
  return endEvaluation({
    evaluation_id: evaluationId,
    run_end: storedText(jsonText(end)),
    ended_at: storedTime(occurredAt),
  });
}

/** The evaluations of specialists, with what came of them. */
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
  return pageOf(request, {
    list: 'evaluations',
    read: (after, limit) => {
      const all = db
        .withTables<Tables>()
        .selectFrom('evaluations_v2')
        .selectAll()
        .where('specialist_machine', '=', machineName)
        .where('specialist_id', '=', name.specialistId);
      const rest = after === undefined ? all : all.where('position', '<', after);
      return rest.orderBy('position', 'desc').limit(limit).execute();
    },
    keyOf: (row) => row.position,
    toItems: (rows) => rows.map(evaluationSummary),
  });
}

function evaluationSummary(row: RowOf<typeof evaluationsTable>): EvaluationSummary {
  const end = row.run_end === null ? undefined : (JSON.parse(textFromStored(row.run_end)) as RunEnd);
  const came = endOf(end, row.ended_at === null ? undefined : { occurredAt: timeFromStored(row.ended_at) });
  return {
    evaluationId: row.evaluation_id,
    specialistId: row.specialist_id,
    specialistVersion: row.specialist_version,
    specialistMachine: row.specialist_machine,
    machineName: row.machine_name,
    against: row.against as Against,
    startedAt: timeFromStored(row.started_at),
    rounds: row.rounds,
    ...came,
    ...(typeof came.totalCostUSD === 'number' && { costUSD: came.totalCostUSD }),
  };
}
