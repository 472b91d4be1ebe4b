import type { EvaluationEvent } from '#lib/evaluation';
import { jsonText } from '#lib/kernel';
import { storedTime } from '../row/stored-time.js';
import type { Handlers, Projection } from '../runner/projection.js';
import { insertRow } from '../store/insert-row.js';
import { statement } from '../store/statement.js';
import { evaluationsTable } from './evaluations.table.js';

const addEvaluation = insertRow(evaluationsTable);

const complete = statement<{ evaluationId: string; result: string; completedAt: number }>((db, given) =>
  db
    .updateTable('evaluations_v1')
    .set({ status: 'completed', result: given.result, completed_at: given.completedAt })
    .where('evaluation_id', '=', given.evaluationId),
);

const onEvaluation: Handlers<EvaluationEvent> = {
  EvaluationStarted: ({ data, occurredAt, position }, evaluationId) => [
    addEvaluation({
      evaluation_id: evaluationId,
      specialist_id: data.specialistId,
      specialist_version: data.specialistVersion,
      specialist_machine: data.specialistMachine,
      machine_name: data.machineName,
      against: data.against,
      rounds: data.samples.length,
      status: 'running',
      result: null,
      started_at: storedTime(occurredAt),
      completed_at: null,
      position,
    }),
  ],
  EvaluationCompleted: ({ data, occurredAt }, evaluationId) => [
    complete({ evaluationId, result: jsonText(data), completedAt: storedTime(occurredAt) }),
  ],
};

/** The results of every evaluation of a specialist, and the incomplete ones, which recovery continues. */
export const evaluationsProjection: Projection<'evaluations'> = {
  name: 'evaluations',
  version: 1,
  tables: [evaluationsTable],
  on: { evaluation: onEvaluation },
};
