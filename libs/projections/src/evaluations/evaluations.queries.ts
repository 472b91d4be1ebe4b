import type { Against, EvaluationResult, EvaluationSummary } from '#lib/evaluation';
import { isRejection, type Rejection } from '#lib/kernel';
import { type Page, pageOf, type PageRequest } from '../paging/page.js';
import { timeFromStored } from '../row/stored-time.js';
import { machineOfSpecialist, type SpecialistName } from '../specialists/specialists.queries.js';
import type { Rows } from '../store/rows.js';
import type { RowOf } from '../store/table.js';
import type { evaluationsTable } from './evaluations.table.js';

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
        .selectFrom('evaluations_v1')
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

/** Evaluations that are not complete, oldest first. */
export function listOpenEvaluations(
  db: Rows<'evaluations'>,
  request: PageRequest = {},
): Promise<Page<EvaluationSummary> | Rejection> {
  return pageOf(request, {
    list: 'open-evaluations',
    read: (after, limit) => {
      const open = db.selectFrom('evaluations_v1').selectAll().where('status', '=', 'running');
      const rest = after === undefined ? open : open.where('position', '>', after);
      return rest.orderBy('position').limit(limit).execute();
    },
    keyOf: (row) => row.position,
    toItems: (rows) => rows.map(evaluationSummary),
  });
}

function evaluationSummary(row: RowOf<typeof evaluationsTable>): EvaluationSummary {
  const result = row.result === null ? undefined : (JSON.parse(row.result) as EvaluationResult);
  const costUSD = result?.totalCostUSD ?? undefined;
  return {
    evaluationId: row.evaluation_id,
    specialistId: row.specialist_id,
    specialistVersion: row.specialist_version,
    specialistMachine: row.specialist_machine,
    machineName: row.machine_name,
    against: row.against as Against,
    status: row.status as EvaluationSummary['status'],
    startedAt: timeFromStored(row.started_at),
    ...(row.completed_at !== null && { completedAt: timeFromStored(row.completed_at) }),
    rounds: row.rounds,
    ...result,
    ...(costUSD !== undefined && { costUSD }),
  };
}
