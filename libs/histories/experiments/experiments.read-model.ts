import type { Rejection } from '#lib/kernel';
import {
  documents,
  type FoldPage,
  foldedTable,
  freeText,
  type Folds,
  hidden,
  json,
  type NumberedEvent,
  optional,
  type Page,
  pageOfRows,
  type PageRequest,
  type ReadModel,
  recordOf,
  type Rows,
  type SchemaOf,
  time,
  word,
} from '#lib/read-models';
import { asksOf, type ExperimentStatus } from './experiment.decider.js';
import type { ExperimentEvent } from './experiment.events.js';
import type { ExperimentSummary } from './experiments.views.js';

/** Without points and answers: they are read from the log. */
const experimentsTable = foldedTable(
  'experiments',
  {
    experiment_id: 'text',
    name: optional(freeText),
    machine_name: 'text',
    status: word<ExperimentStatus>(),
    points: 'integer',
    variants: json<readonly string[]>(),
    /** Asks without an answer, by the ended batches. */
    left: hidden('integer'),
    started_at: time,
    ended_at: optional(time),
    number: hidden('bigint'),
  },
  ['experiment_id'],
  [['number'], ['status', 'number']],
);

const experiments = documents(experimentsTable, 'experiment_id');

const onExperiment: Folds<ExperimentEvent> = {
  ExperimentStarted: (page, { data, occurredAt, number }, experimentId) => {
    const { name, machineName, points, variants } = data;
    const left = asksOf(data);
    page.put(experiments, {
      experimentId,
      name,
      machineName,
      status: left === 0 ? 'completed' : 'running',
      points: points.length,
      variants: variants.map((variant) => variant.name),
      left,
      startedAt: occurredAt,
      endedAt: left === 0 ? occurredAt : undefined,
      number,
    });
  },
  ExperimentBatchEnded: (page, { data, ...event }, id) => {
    const found = page.change(experiments, id);
    if (!found) return;
    found.left -= data.answers.length;
    if (found.status !== 'running') return;
    const isStopped = data.stoppedBy === 'calls' || data.stoppedBy === 'cost';
    if (found.left === 0) ended(page, event, id, 'completed');
    else if (isStopped) ended(page, event, id, 'stopped');
  },
  ExperimentBatchFailed: (page, event, id) => {
    if (page.change(experiments, id)?.status === 'running') ended(page, event, id, 'failed');
  },
  ExperimentResumed: (page, _event, id) => {
    const found = page.change(experiments, id);
    if (found) Object.assign(found, { status: 'running', endedAt: undefined });
  },
  ExperimentCancelled: (page, event, id) => ended(page, event, id, 'cancelled'),
};

function ended(
  page: FoldPage,
  { occurredAt: endedAt }: Pick<NumberedEvent, 'occurredAt'>,
  id: string,
  status: ExperimentStatus,
): void {
  const found = page.change(experiments, id);
  if (found) Object.assign(found, { status, endedAt });
}

/** A row for each experiment. */
export const experimentsModel: ReadModel<'experiments'> = {
  name: 'experiments',
  kinds: [experiments],
  of: { experiment: [experiments] },
  on: { experiment: onExperiment },
};

/** Newest first. */
export function listExperiments(
  db: Rows<'experiments'>,
  { status }: { readonly status?: ExperimentStatus },
  request: PageRequest,
): Promise<Page<ExperimentSummary> | Rejection> {
  const rows = db
    .withTables<SchemaOf<typeof experimentsTable>>()
    .selectFrom(experimentsTable.name)
    .selectAll();
  return pageOfRows(request, {
    list: 'experiments',
    rows: status === undefined ? rows : rows.where('status', '=', status),
    table: experimentsTable,
    by: 'number',
    order: 'desc',
    toItems: (found) => found.map((row) => recordOf(experimentsTable, row)),
  });
}
