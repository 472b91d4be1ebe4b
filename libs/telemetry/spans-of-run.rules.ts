import {
  type LlmCallCompleted,
  type LlmCallFailed,
  type LlmCallRequested,
  recordedCalls,
  type FunctionCallRequested,
  type ToolCallRequested,
  type WebhookCallCompleted,
  type WebhookCallRequested,
} from '#lib/call-rules';
import { ownEvents } from '#lib/event-store';
import { type Json, isJsonObject, parseTraceparent, type RecordedEvent, sha256 } from '#lib/kernel';
import { givenUpEnd, type WorkflowEnded, type WorkflowGivenUp, type WorkflowStarted } from '#lib/workflow';
import { modelOf, replyAttributes, replyError, requestAttributes, serverAttributes } from './gen-ai.rules.js';
import type { Attributes, Span } from './span.js';

type Ended = RecordedEvent<WorkflowEnded | WorkflowGivenUp>;
type Call = { readonly stepId: string };
type Outcome = RecordedEvent<LlmCallCompleted | LlmCallFailed | WebhookCallCompleted>;
/** The attributes of a call and of its end. */
type Described = Pick<Span, 'name' | 'kind' | 'attributes' | 'error'>;

/**
 * The spans of a run that has ended: its own, and one for each of its calls. They are derived from its history alone, ids included, so a
 * repeated export gives the same spans. None if the caller's trace is not recorded.
 * @param history whole. Copied events of a fork are of the forked run
 */
export function spansOfRun(runId: string, history: readonly RecordedEvent[]): readonly Span[] {
  const start = history[0] as RecordedEvent<WorkflowStarted> | undefined;
  const end = history.find(({ type }) => type === 'WorkflowEnded' || type === 'WorkflowGivenUp') as
    | Ended
    | undefined;
  if (!start || !end) return [];
  const own = ownEvents(history);
  const context = parseTraceparent(start.metadata.traceparent);
  if (context?.sampled === false) return [];
  const { correlationId } = start.metadata;
  const traceId = context?.traceId ?? sha256(`trace ${correlationId}`).slice(0, 32);
  const { owner } = start.data;
  const parent = owner && 'run' in owner ? spanIdOf(owner.run) : undefined;
  const run: Span = {
    traceId,
    spanId: spanIdOf(runId),
    ...(parent !== undefined && { parent: { spanId: parent, isRemote: false } }),
    ...(parent === undefined && context && { parent: { spanId: context.spanId, isRemote: true } }),
    start: Date.parse((own[0] ?? start).occurredAt),
    end: Date.parse(end.occurredAt),
    ...describedRun(runId, start, end),
  };
  return [run, ...callsOf(own, run, runId)];
}

function spanIdOf(runId: string, stepId = ''): string {
  return sha256(`span ${runId} ${stepId}`).slice(0, 16);
}

function describedRun(
  runId: string,
  { data, metadata }: RecordedEvent<WorkflowStarted>,
  end: Ended,
): Described {
  const { failure, status } = end.type === 'WorkflowEnded' ? end.data : givenUpEnd(end.data);
  const agent = agentOf(data.input);
  const operation = agent === undefined ? 'invoke_workflow' : 'invoke_agent';
  return {
    name: `${operation} ${agent ?? data.workflow}`,
    kind: 'internal',
    attributes: {
      'gen_ai.operation.name': operation,
      'gen_ai.workflow.name': data.workflow,
      'gen_ai.conversation.id': metadata.correlationId,
      ...(agent !== undefined && { 'gen_ai.agent.name': agent }),
      'redial.run.id': runId,
      'redial.run.status': status,
      ...(failure && { 'error.type': failure.kind }),
    },
    ...(failure && { error: failure.message }),
  };
}

/** Solicitations and arbitrations ask one specialist. */
function agentOf(input: Json): string | undefined {
  const specialistId = isJsonObject(input) ? input['specialistId'] : undefined;
  return typeof specialistId === 'string' ? specialistId : undefined;
}

function callsOf(
  history: readonly RecordedEvent[],
  { traceId, spanId }: Span,
  runId: string,
): readonly Span[] {
  const requests = new Map<string, RecordedEvent>();
  return history.flatMap((event) => {
    const role = recordedCalls.roleOf(event)?.role;
    if (role === undefined) return [];
    const { stepId } = event.data as Call;
    if (role === 'requested') requests.set(stepId, event);
    const request = requests.get(stepId);
    if (role === 'requested' || !request) return [];
    const described = describedCall(request, event as Outcome);
    return {
      traceId,
      spanId: spanIdOf(runId, stepId),
      parent: { spanId, isRemote: false },
      start: Date.parse(request.occurredAt),
      end: Date.parse(event.occurredAt),
      ...described,
      attributes: { ...described.attributes, 'redial.step.id': stepId },
    };
  });
}

function describedCall(request: RecordedEvent, outcome: Outcome): Described {
  const { name, kind, attributes } = describedRequest(request);
  const failed = failureOf(outcome);
  return {
    name,
    kind,
    attributes: {
      ...attributes,
      ...outcomeAttributes(outcome),
      ...(failed && { 'error.type': failed.type }),
    },
    ...(failed && { error: failed.message }),
  };
}

function describedRequest(event: RecordedEvent): Omit<Described, 'error'> {
  const { type, data } = event as RecordedEvent<
    LlmCallRequested | ToolCallRequested | WebhookCallRequested | FunctionCallRequested
  >;
  switch (type) {
    case 'LlmCallRequested':
      return {
        name: `chat ${modelOf(data)}`,
        kind: 'client',
        attributes: requestAttributes(data),
      };
    case 'ToolCallRequested':
      return {
        name: `execute_tool ${data.toolId}`,
        kind: 'internal',
        attributes: {
          'gen_ai.operation.name': 'execute_tool',
          'gen_ai.tool.name': data.toolId,
          'gen_ai.tool.call.id': data.callId,
          'gen_ai.tool.type': 'function',
        },
      };
    case 'WebhookCallRequested':
      return {
        name: 'POST',
        kind: 'client',
        attributes: { 'http.request.method': 'POST', ...serverAttributes(data.url) },
      };
    case 'FunctionCallRequested':
      return {
        name: `function ${data.fnName}`,
        kind: 'internal',
        attributes: { 'code.function.name': data.fnName },
      };
    default:
      return { name: type, kind: 'internal', attributes: {} };
  }
}

function outcomeAttributes({ type, data }: Outcome): Attributes {
  if (type === 'LlmCallCompleted') return replyAttributes(data);
  if (type === 'WebhookCallCompleted') return { 'http.response.status_code': data.status };
  return {};
}

function failureOf({ type, data }: Outcome): { readonly type: string; readonly message: string } | undefined {
  if (type === 'LlmCallCompleted') return replyError(data);
  if (type === 'WebhookCallCompleted' && data.status >= 400)
    return { type: String(data.status), message: `The webhook answered ${data.status}.` };
  return 'failure' in data ? { type: data.failure.kind, message: data.failure.message } : undefined;
}
