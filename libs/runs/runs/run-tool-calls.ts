import {
  type ActivityEvent,
  type ChildEnded,
  endOfRun,
  type SignalAwaited,
  type SignalReceived,
  timedWait,
} from '#lib/workflow';
import {
  argumentsOf,
  type AskedArguments,
  evolveArguments,
  noArguments,
  NOT_ALLOWED_IN_TIME,
  type ToolCallCompleted,
  type ToolCallFailed,
  type ToolCallRejected,
  type ToolCallRequested,
} from '#lib/call-rules';
import { isJsonObject, type JsonObject, jsonText, type RecordedEvent } from '#lib/kernel';
import type { ToolCallView } from './run.views.js';

type ToolEvent =
  | ToolCallRequested
  | ToolCallCompleted
  | ToolCallFailed
  | ToolCallRejected
  | SignalAwaited
  | SignalReceived
  | ChildEnded;
type Call = { readonly [Member in keyof ToolCallView]: ToolCallView[Member] };
type Calls = ReadonlyMap<string, Call>;

/**
 * The calls of tools in a run's stream, in the order in which they were asked for. The attempts of a call are one call. A fork's copied calls are not
 * among them.
 */
export function runToolCalls(runId: string, history: readonly RecordedEvent[]): readonly ToolCallView[] {
  const steps = new Map<string, string>();
  let calls: Calls = new Map();
  let asked = noArguments;
  for (const event of history as readonly RecordedEvent<ToolEvent>[]) {
    asked = evolveArguments(asked, event as RecordedEvent as RecordedEvent<ActivityEvent>);
    if (event.metadata.copied) continue;
    const { stepId = '' } = event.data as { stepId?: string };
    const callId = callIdOf(event) ?? steps.get(timedWait(stepId) ?? stepId);
    if (callId === undefined) continue;
    steps.set(stepId, callId);
    const call = evolveCall(runId, callId, calls.get(callId), withArguments(event, asked));
    if (call) calls = new Map(calls).set(callId, call);
  }
  const end = endOfRun(history) && history.at(-1);
  return [...calls.values()].map((call) => (end ? over(call, end) : call));
}

/** The call after the end of its run, which waits for no approval. */
function over(call: Call, { occurredAt: completedAt }: RecordedEvent): Call {
  if (call.status !== 'awaiting-approval') return call;
  const error = { kind: 'cancelled', message: 'The run ended before anybody allowed this call' };
  return { ...call, error, status: 'failed', completedAt };
}

function callIdOf({ type, data }: RecordedEvent<ToolEvent>): string | undefined {
  if (type === 'ToolCallRequested' || type === 'ToolCallRejected') return data.callId;
  if (type !== 'SignalAwaited' || !isJsonObject(data.prompt)) return undefined;
  const { callId } = data.prompt;
  return typeof callId === 'string' ? callId : undefined;
}

/** The event with its arguments, if it names the reply that holds them. */
function withArguments(event: RecordedEvent<ToolEvent>, asked: AskedArguments): RecordedEvent<ToolEvent> {
  if (event.type === 'ToolCallRequested')
    return { ...event, data: { ...event.data, ...argumentsOf(event.data, asked) } };
  if (event.type !== 'ToolCallRejected') return event;
  const { argumentsText } = argumentsOf(event.data, asked);
  return { ...event, data: { ...event.data, argumentsText } };
}

function evolveCall(
  runId: string,
  callId: string,
  call: Call | undefined,
  event: RecordedEvent<ToolEvent>,
): Call | undefined {
  const { type, occurredAt } = event;
  if (type === 'ToolCallRequested' || type === 'ToolCallRejected' || type === 'SignalAwaited') {
    const since = {
      callId,
      runId,
      requestedAt: call?.requestedAt ?? occurredAt,
      durationMs: call?.durationMs ?? 0,
    };
    return { ...since, ...opened(call, event) };
  }
  return call && closed(call, event);
}

type Opened = Omit<Call, 'callId' | 'runId' | 'requestedAt' | 'durationMs'>;

/** The call after its request: made, shown to a person, or rejected. */
function opened(
  call: Call | undefined,
  event: RecordedEvent<ToolCallRequested | ToolCallRejected | SignalAwaited>,
): Opened {
  if (event.type === 'ToolCallRequested') {
    const { toolId, toolVersion, arguments: given = {}, argumentsText = jsonText(given) } = event.data;
    return { ...approval(call), toolId, toolVersion, arguments: given, argumentsText, status: 'pending' };
  }
  if (event.type === 'ToolCallRejected') {
    const { callId: _, argumentsFrom: _from, argumentsText = '', ...asked } = event.data;
    return { ...asked, argumentsText, status: 'failed', completedAt: event.occurredAt };
  }
  const { toolId, toolVersion, arguments: given } = event.data.prompt as JsonObject;
  const argumentsText = call?.argumentsText ?? jsonText(given);
  return {
    toolId: typeof toolId === 'string' ? toolId : '',
    ...(typeof toolVersion === 'number' && { toolVersion }),
    arguments: given as JsonObject,
    argumentsText,
    status: 'awaiting-approval',
  };
}

function closed(call: Call, event: RecordedEvent<ToolEvent>): Call {
  const completedAt = event.occurredAt;
  if (event.type === 'ToolCallCompleted') {
    const { result, durationMs } = event.data;
    return { ...call, result, durationMs, status: 'completed', completedAt };
  }
  if (event.type === 'ToolCallFailed') {
    const { kind, message, durationMs } = event.data.failure;
    return { ...call, error: { kind, message }, durationMs, status: 'failed', completedAt };
  }
  if (event.type === 'ChildEnded') return clockEnded(call, event);
  if (event.type !== 'SignalReceived') return call;
  return signalled(call, event.data, { occurredAt: completedAt, actor: event.metadata.actor });
}

/** The call after the clock of its approval has ended: unless it was answered before, its time is over. */
function clockEnded(call: Call, { data, occurredAt: completedAt }: RecordedEvent<ChildEnded>): Call {
  if (call.status !== 'awaiting-approval' || data.status !== 'completed') return call;
  const error = { kind: 'refused', message: NOT_ALLOWED_IN_TIME };
  return { ...call, error, status: 'refused', completedAt };
}

/**
 * The person who allowed the call. Before 0.3 a signal does not hold its author: it is the person whose token came with the signal, else the one that
 * the payload names.
 */
function signalled(
  call: Call,
  { payload, by: author }: SignalReceived['data'],
  { occurredAt, actor }: { readonly occurredAt: string; readonly actor: string },
): Call {
  const { approved, by, reason, result } = isJsonObject(payload) ? payload : {};
  const approvedBy = author ?? (actor === 'operator' && typeof by === 'string' ? by : actor);
  if (approved === true) return { ...call, approvedBy, status: 'pending' };
  if (result !== undefined) return { ...call, result, status: 'completed', completedAt: occurredAt };
  const message = typeof reason === 'string' ? reason : 'A person refused this call';
  return { ...call, error: { kind: 'refused', message }, status: 'refused', completedAt: occurredAt };
}

function approval(call: Call | undefined): Pick<Call, 'approvedBy'> {
  return call?.approvedBy === undefined ? {} : { approvedBy: call.approvedBy };
}
