import { ownEvents } from '#lib/event-store';
import type { ActivityRegistry } from '#lib/workflow';
import { type Json, type RecordedEvent, shownLabels } from '#lib/kernel';
import {
  dueAtOf,
  foldSteps,
  isOwnAwait,
  type JsonSchema,
  type SignalAwaited,
  type WorkflowStarted,
} from '#lib/workflow';
import { runUsage } from './run-usage.js';
import type { AwaitView, RunView } from './run.views.js';
import { runForkOrigin } from './runs.tables.js';

/** A run, folded from its stream; `undefined` if the stream is not a run. */
export function runView(
  runId: string,
  history: readonly RecordedEvent[],
  activities: ActivityRegistry,
): RunView | undefined {
  const [start] = history;
  const last = history.at(-1);
  if (start?.type !== 'WorkflowStarted' || !last) return undefined;
  const { data } = start as RecordedEvent<WorkflowStarted>;
  const { workflow, version, input, owner, forkedFrom } = data;
  const steps = foldSteps(history, activities);
  const { open, end, revision, cancelRequested } = steps;
  const isCalling = [...open.values()].some(({ kind }) => kind === 'call');
  // A run that is asked to end waits for no person.
  const awaited = end || cancelRequested ? [] : ownEvents(history);
  const awaiting = awaited.flatMap((event) =>
    isAwait(event) && open.has(event.data.stepId) && !isOwnAwait(workflow, event.data)
      ? [awaitOf(event, dueAtOf(steps, event.data.stepId))]
      : [],
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
    usage: runUsage(history),
    ...(owner && 'run' in owner && { parent: owner.run }),
    ...shownLabels(start),
    ...(forkedFrom && { forkedFrom: runForkOrigin(forkedFrom) }),
    createdAt: (history.find(isOwnFork) ?? start).occurredAt,
    updatedAt: last.occurredAt,
    ...(end && { endedAt: last.occurredAt }),
    revision,
  };
}

/** Whether this is the event at which a fork continues by itself. */
function isOwnFork({ type, metadata }: RecordedEvent): boolean {
  return type === 'WorkflowForked' && !metadata.copied;
}

function isAwait(event: RecordedEvent): event is RecordedEvent<SignalAwaited> {
  return event.type === 'SignalAwaited';
}

function awaitOf({ data, occurredAt }: RecordedEvent<SignalAwaited>, dueAt: number): AwaitView {
  const { stepId: awaitId, signal, schema, prompt } = data;
  return awaitView({ awaitId, signal, schema, prompt, since: occurredAt, dueAt });
}

/** Without undefined members. A prompt of null counts as none, because a row does not tell the two apart. */
export function awaitView({
  awaitId,
  signal,
  schema,
  prompt,
  since,
  dueAt,
}: {
  readonly awaitId: string;
  readonly signal: string;
  readonly schema: JsonSchema | undefined;
  readonly prompt: Json | undefined;
  readonly since: string;
  /** Epoch milliseconds; `Infinity` without a time-out. */
  readonly dueAt: number;
}): AwaitView {
  return {
    awaitId,
    signal,
    ...(schema && { schema }),
    ...(prompt !== undefined && prompt !== null && { prompt }),
    since,
    ...(dueAt < Infinity && { dueAt: new Date(dueAt).toISOString() }),
  };
}
