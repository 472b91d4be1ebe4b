import type { ActivityRegistry } from '#lib/activity';
import { type Json, jsonText, type RecordedEvent } from '#lib/kernel';
import {
  type Change,
  deleteRow,
  type Handler,
  insertRow,
  type Projection,
  type RowOf,
  statement,
  storedPosition,
  storedText,
  storedTime,
  table,
  updateRow,
} from '#lib/projections';
import {
  type ChildStarted,
  givenUpEnd,
  isExternal,
  type RunEnd,
  type RunRequests,
  type RuntimeEvent,
  type SignalAwaited,
} from '#lib/workflow';
import { removeRequest, requestedIn, runRequestsTable } from './run-requests.read-model.js';

const runsTable = table(
  'runs_v4',
  {
    run_id: 'text',
    workflow: 'text',
    workflow_version: 'integer',
    status: 'text',
    parent_run_id: 'text?',
    /** The stream that asked for it, without the prefix. */
    owner_stream: 'text?',
    created_at: 'bigint',
    updated_at: 'bigint',
    ended_at: 'bigint?',
    failure: 'text?',
    revision: 'integer',
    /** 1 where the last event came from outside: a driver has to look at it. */
    is_to_settle: 'integer',
    /** 0 while an end was not seen at its owner. */
    is_delivered: 'integer',
    /** Its stream; null once the run has ended and its owner knows: recovery then leaves it out. */
    open_stream: 'text?',
    position: 'bigint',
  },
  ['run_id'],
  [['position'], ['open_stream']],
);

/** The steps that are open. */
const runStepsTable = table(
  'run_steps_v4',
  {
    run_id: 'text',
    step_id: 'text',
    kind: 'text',
    due_at: 'bigint?',
    opened_at: 'bigint',
    position: 'text',
    /** Of children. */
    child_run_id: 'text?',
    /** Of awaits; the schema and the prompt are JSON text. */
    signal: 'text?',
    schema: 'text?',
    prompt: 'text?',
  },
  ['run_id', 'step_id'],
  [['due_at'], ['kind', 'position']],
);

export type RunRow = RowOf<typeof runsTable>;
export type StepRow = RowOf<typeof runStepsTable>;
export type RunTables = {
  runs_v4: RunRow;
  run_steps_v4: StepRow;
};

const addRun = insertRow(runsTable);
const addStep = insertRow(runStepsTable);

const advance = updateRow(runsTable, ['run_id'], ['revision', 'is_to_settle', 'updated_at']);

const close = deleteRow(runStepsTable, ['run_id', 'step_id']);

const closeUnlessChild = statement<{ runId: string; stepId: string }>((db, { runId, stepId }) =>
  db
    .withTables<RunTables>()
    .deleteFrom('run_steps_v4')
    .where('run_id', '=', runId)
    .where('step_id', '=', stepId)
    .where('kind', '<>', 'child'),
);

/** A run that is asked to end waits for no one. */
const closeAwaits = statement<{ runId: string }>((db, { runId }) =>
  db
    .withTables<RunTables>()
    .deleteFrom('run_steps_v4')
    .where('run_id', '=', runId)
    .where('kind', '=', 'await'),
);

const closeAll = deleteRow(runStepsTable, ['run_id']);

const end = statement<{ runId: string; status: string; endedAt: number; failure: string | null }>(
  (db, { runId, status, endedAt, failure }) =>
    db
      .withTables<RunTables>()
      .updateTable('runs_v4')
      .set((eb) => ({
        status,
        ended_at: endedAt,
        failure,
        open_stream: eb.case().when('is_delivered', '=', 0).then(eb.ref('open_stream')).end(),
      }))
      .where('run_id', '=', runId),
);

const delivered = statement<{ runId: string }>((db, { runId }) =>
  db
    .withTables<RunTables>()
    .updateTable('runs_v4')
    .set({ is_delivered: 1, open_stream: null })
    .where('run_id', '=', runId),
);

/** The runs of all workflows, the steps that they have open, and the runs that are asked for. */
export function runsProjection(
  activities: ActivityRegistry,
  requests: readonly RunRequests[],
): Projection<'runs'> {
  const handler: Handler<RuntimeEvent> = (event, runId) => [
    ...changesOf(event, runId, activities),
    advance({
      run_id: runId,
      revision: event.revision,
      is_to_settle: isExternal(event, activities) ? 1 : 0,
      updated_at: storedTime(event.occurredAt),
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
  return [...requestedIn(event, requests), ...taken.map((runId) => delivered({ runId }))];
}

function changesOf(
  event: RecordedEvent<RuntimeEvent>,
  runId: string,
  activities: ActivityRegistry,
): readonly Change[] {
  const call = activities.roleOf(event);
  if (call) {
    const { stepId } = event.data as { stepId: string };
    return call.role === 'requested'
      ? [opened(event, runId, 'call')]
      : [close({ run_id: runId, step_id: stepId })];
  }
  switch (event.type) {
    case 'WorkflowStarted':
      return [started(event, runId), removeRequest({ run_id: runId })];
    case 'TimerStarted':
      return [opened(event, runId, 'timer')];
    case 'SignalAwaited':
      return [opened(event, runId, 'await')];
    case 'ChildStarted':
      return [opened(event, runId, 'child')];
    case 'TimerFired':
    case 'SignalReceived':
      return [close({ run_id: runId, step_id: event.data.stepId })];
    case 'ChildEnded':
      return [close({ run_id: runId, step_id: event.data.stepId }), delivered({ runId: event.data.runId })];
    case 'StepCancelled':
      return [closeUnlessChild({ runId, stepId: event.data.stepId })];
    case 'RunCancelRequested':
      return [closeAwaits({ runId })];
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
  const at = storedTime(occurredAt);
  const { owner } = data;
  return addRun({
    run_id: runId,
    workflow: data.workflow,
    workflow_version: data.version,
    status: 'running',
    parent_run_id: owner && 'run' in owner ? owner.run : null,
    owner_stream: owner && 'stream' in owner ? owner.stream : null,
    created_at: at,
    updated_at: at,
    ended_at: null,
    failure: null,
    revision: 0,
    is_to_settle: 1,
    is_delivered: owner ? 0 : 1,
    open_stream: stream,
    position: storedPosition(position),
  });
}

function opened({ data, occurredAt, position }: RecordedEvent, runId: string, kind: string): Change {
  const { stepId, afterMs, signal, schema, prompt } = data as Partial<SignalAwaited['data']>;
  const { runId: childRunId } = data as Partial<ChildStarted['data']>;
  const at = storedTime(occurredAt);
  return addStep({
    run_id: runId,
    step_id: stepId ?? '',
    kind,
    due_at: afterMs === undefined ? null : at + afterMs,
    opened_at: at,
    position,
    child_run_id: childRunId ?? null,
    signal: signal === undefined ? null : storedText(signal),
    schema: storedJson(schema),
    prompt: storedJson(prompt),
  });
}

function ended({ occurredAt }: RecordedEvent, runId: string, { status, failure }: RunEnd): readonly Change[] {
  const endedAt = storedTime(occurredAt);
  return [closeAll({ run_id: runId }), end({ runId, status, endedAt, failure: storedJson(failure) })];
}

function storedJson(value: Json | undefined): string | null {
  return value === undefined ? null : storedText(jsonText(value));
}
