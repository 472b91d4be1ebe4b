import type { ActivityRegistry } from '#lib/activity';
import type { Json, RecordedEvent } from '#lib/kernel';
import {
  type Failure,
  foldSteps,
  type JsonSchema,
  type SignalAwaited,
  type WorkflowStarted,
} from '#lib/workflow';

export type RunStatus = 'running' | 'waiting' | 'completed' | 'failed' | 'cancelled';

/** A signal that a run waits for. Times are ISO 8601, UTC. */
export interface AwaitView {
  readonly awaitId: string;
  readonly signal: string;
  readonly schema?: JsonSchema;
  readonly prompt?: Json;
  readonly since: string;
  readonly dueAt?: string;
}

export interface RunView {
  readonly runId: string;
  readonly workflow: string;
  readonly workflowVersion: number;
  /** `waiting`: an await is open, and no call is in flight. */
  readonly status: RunStatus;
  readonly input: Json;
  readonly result?: Json;
  readonly failure?: Failure;
  readonly awaiting: readonly AwaitView[];
  /** The run that started this one. */
  readonly parent?: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly endedAt?: string;
  readonly revision: number;
}

/** A run as its stream says it is; `undefined` for a stream that is no run. */
export function runView(
  runId: string,
  history: readonly RecordedEvent[],
  activities: ActivityRegistry,
): RunView | undefined {
  const [start] = history;
  const last = history.at(-1);
  if (start?.type !== 'WorkflowStarted' || !last) return undefined;
  const { workflow, version, input, owner } = (start as RecordedEvent<WorkflowStarted>).data;
  const { open, end, revision, cancelRequested } = foldSteps(history, activities);
  const isCalling = [...open.values()].some(({ kind }) => kind === 'call');
  // A run that is asked to end waits for no one.
  const awaited = end || cancelRequested ? [] : history;
  const awaiting = awaited.flatMap((event) =>
    isAwait(event) && open.has(event.data.stepId) ? awaitView(event) : [],
  );
  return {
    runId,
    workflow,
    workflowVersion: version,
    status: end?.status ?? (awaiting.length > 0 && !isCalling ? 'waiting' : 'running'),
    input,
    ...(end?.result !== undefined && { result: end.result }),
    ...(end?.failure && { failure: end.failure }),
    awaiting,
    ...(owner && 'run' in owner && { parent: owner.run }),
    createdAt: start.occurredAt,
    updatedAt: last.occurredAt,
    ...(end && { endedAt: last.occurredAt }),
    revision,
  };
}

function isAwait(event: RecordedEvent): event is RecordedEvent<SignalAwaited> {
  return event.type === 'SignalAwaited';
}

function awaitView({ data, occurredAt }: RecordedEvent<SignalAwaited>): AwaitView {
  const { stepId: awaitId, signal, schema, prompt, afterMs } = data;
  const due = afterMs === undefined ? undefined : new Date(Date.parse(occurredAt) + afterMs).toISOString();
  return {
    awaitId,
    signal,
    ...(schema && { schema }),
    ...(prompt !== undefined && { prompt }),
    since: occurredAt,
    ...(due !== undefined && { dueAt: due }),
  };
}
