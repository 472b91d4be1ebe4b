import type { ActivityRegistry } from '#lib/workflow';
import type { Json, RecordedEvent } from '#lib/kernel';
import {
  type Change,
  deleteRow,
  flag,
  freeText,
  type Handler,
  insertRow,
  json,
  logNumber,
  optional,
  pick,
  type Projection,
  type RowOf,
  type SchemaOf,
  statement,
  table,
  time,
  updateRow,
  word,
  uuid,
} from '#lib/read-models';
import {
  type ChildStarted,
  dueAfter,
  type Failure,
  givenUpEnd,
  isExternal,
  type JsonSchema,
  type RunEnd,
  type RunRequests,
  type RuntimeEvent,
  type SignalAwaited,
} from '#lib/workflow';
import { removeRequest, requestedIn, runRequestsTable } from './run-requests.read-model.js';

export const runsTable = table(
  'runs_v4',
  {
    run_id: uuid,
    workflow: 'text',
    workflow_version: 'integer',
    status: word<RunEnd['status'] | 'running'>(),
    parent_run_id: optional(uuid),
    /** The stream that asked for it, without the prefix. */
    owner_stream: 'text?',
    created_at: time,
    updated_at: time,
    ended_at: optional(time),
    failure: optional(json<Failure>()),
    revision: 'integer',
    /** The last event came from outside: a driver has to look at it. */
    is_to_settle: flag,
    /** The owner has taken in the end, or there is no owner. */
    is_delivered: flag,
    /** Its stream; null once the run has ended and its owner knows: recovery then leaves it out. */
    open_stream: 'text?',
    position: logNumber,
  },
  ['run_id'],
  [['position'], ['open_stream']],
);

/** The steps that are open. */
export const runStepsTable = table(
  'run_steps_v4',
  {
    run_id: uuid,
    step_id: 'text',
    kind: 'text',
    due_at: 'bigint?',
    opened_at: time,
    position: 'text',
    /** Present for children. */
    child_run_id: optional(uuid),
    /** Present for awaits. */
    signal: optional(freeText),
    schema: optional(json<JsonSchema>()),
    prompt: optional(json<Json>()),
  },
  ['run_id', 'step_id'],
  [['due_at'], ['kind', 'position']],
);

export type RunRow = RowOf<typeof runsTable>;
export type StepRow = RowOf<typeof runStepsTable>;
export type RunTables = SchemaOf<typeof runsTable | typeof runStepsTable>;

const addRun = insertRow(runsTable);
const addStep = insertRow(runStepsTable);

const advance = updateRow(runsTable, ['run_id'], ['revision', 'is_to_settle', 'updated_at']);

const close = deleteRow(runStepsTable, ['run_id', 'step_id']);

const closeUnlessChild = statement(
  pick(runStepsTable.columns, ['run_id', 'step_id']),
  (db, { run_id, step_id }) =>
    db
      .withTables<RunTables>()
      .deleteFrom('run_steps_v4')
      .where('run_id', '=', run_id)
      .where('step_id', '=', step_id)
      .where('kind', '<>', 'child'),
);

/** A run that is asked to end waits for no one. */
const closeKind = deleteRow(runStepsTable, ['run_id', 'kind']);

const closeAll = deleteRow(runStepsTable, ['run_id']);

const end = statement(
  pick(runsTable.columns, ['run_id', 'status', 'ended_at', 'failure']),
  (db, { run_id, ...ended }) =>
    db
      .withTables<RunTables>()
      .updateTable('runs_v4')
      .set((eb) => ({
        ...ended,
        open_stream: eb.case().when('is_delivered', '=', 0).then(eb.ref('open_stream')).end(),
      }))
      .where('run_id', '=', run_id),
);

const setDelivered = updateRow(runsTable, ['run_id'], ['is_delivered', 'open_stream']);
const delivered = (runId: string) => setDelivered({ runId, isDelivered: true });

/** The runs of all workflows, the steps that they have open, and the runs that are asked for. */
export function runsProjection(
  activities: ActivityRegistry,
  requests: readonly RunRequests[],
): Projection<'runs'> {
  const handler: Handler<RuntimeEvent> = (event, runId) => [
    ...changesOf(event, runId, activities),
    advance({
      runId,
      revision: event.revision,
      isToSettle: isExternal(event, activities),
      updatedAt: event.occurredAt,
    }),
  ];
  return {
    name: 'runs',
    version: 4,
    tables: [runsTable, runStepsTable, runRequestsTable],
    on: Object.fromEntries(
      requests.map(({ category }) => [category, (event: RecordedEvent) => ownedIn(event, requests)]),
    ),
    onRuns: () => handler,
  };
}

/** The changes of an event in a capability's stream to the rows of runs. */
function ownedIn(event: RecordedEvent, requests: readonly RunRequests[]): readonly Change[] {
  const taken = requests.flatMap(({ takenBy }) => takenBy(event) ?? []);
  return [...requestedIn(event, requests), ...taken.map(delivered)];
}

function changesOf(
  event: RecordedEvent<RuntimeEvent>,
  runId: string,
  activities: ActivityRegistry,
): readonly Change[] {
  const call = activities.roleOf(event);
  if (call) {
    const { stepId } = event.data as { stepId: string };
    return call.role === 'requested' ? [opened(event, runId, 'call')] : [close({ runId, stepId })];
  }
  switch (event.type) {
    case 'WorkflowStarted':
      return [started(event, runId), removeRequest({ runId })];
    case 'TimerStarted':
      return [opened(event, runId, 'timer')];
    case 'SignalAwaited':
      return [opened(event, runId, 'await')];
    case 'ChildStarted':
      return [opened(event, runId, 'child')];
    case 'TimerFired':
    case 'SignalReceived':
      return [close({ runId, stepId: event.data.stepId })];
    case 'ChildEnded':
      return [close({ runId, stepId: event.data.stepId }), delivered(event.data.runId)];
    case 'StepCancelled':
      return [closeUnlessChild({ runId, stepId: event.data.stepId })];
    case 'RunCancelRequested':
      return [closeKind({ runId, kind: 'await' })];
    case 'WorkflowEnded':
      return ended(event, runId, event.data);
    case 'WorkflowGivenUp':
      return ended(event, runId, givenUpEnd(event.data.reason));
    default:
      return [];
  }
}

function started(
  { data, stream, occurredAt, position }: Extract<RecordedEvent<RuntimeEvent>, { type: 'WorkflowStarted' }>,
  runId: string,
): Change {
  const { owner } = data;
  return addRun({
    runId,
    workflow: data.workflow,
    workflowVersion: data.version,
    status: 'running',
    parentRunId: owner && 'run' in owner ? owner.run : null,
    ownerStream: owner && 'stream' in owner ? owner.stream : null,
    createdAt: occurredAt,
    updatedAt: occurredAt,
    revision: 0,
    isToSettle: true,
    isDelivered: owner === undefined,
    openStream: stream,
    position,
  });
}

function opened({ data, occurredAt, position }: RecordedEvent, runId: string, kind: string): Change {
  const { stepId = '', afterMs, signal, schema, prompt } = data as Partial<SignalAwaited['data']>;
  const { runId: childRunId } = data as Partial<ChildStarted['data']>;
  const dueAt = afterMs === undefined ? Infinity : dueAfter(occurredAt, afterMs);
  const step = {
    runId,
    stepId,
    kind,
    dueAt: dueAt < Infinity ? dueAt : null,
    openedAt: occurredAt,
    position,
  };
  return addStep({ ...step, childRunId, signal, schema, prompt });
}

function ended({ occurredAt }: RecordedEvent, runId: string, { status, failure }: RunEnd): readonly Change[] {
  return [closeAll({ runId }), end({ runId, status, endedAt: occurredAt, failure })];
}
