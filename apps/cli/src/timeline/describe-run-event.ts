import type {
  BudgetChecked,
  BudgetCheckFailed,
  BudgetCheckRequested,
  BudgetMax,
  FunctionCallCompleted,
  FunctionCallFailed,
  FunctionCallRequested,
  ToolCallCompleted,
  ToolCallFailed,
  ToolCallRejected,
  ToolCallRequested,
  Spending,
} from '#lib/calls';
import { isJsonObject, type Json, type JsonObject, type RecordedEvent } from '#lib/kernel';
import { type ProposerMode, solicitation, type SolicitationChoice } from '#lib/solicitation';
import type { RuntimeEvent, WorkflowEnded, WorkflowStarted } from '#lib/workflow';
import { jsonLine, oneLine } from '../format/one-line.js';

/** The events of all runs, besides those of their workflow and of calls to models and webhooks. */
export type RunEvent =
  | RuntimeEvent
  | FunctionCallRequested
  | FunctionCallCompleted
  | FunctionCallFailed
  | ToolCallRequested
  | ToolCallCompleted
  | ToolCallFailed
  | ToolCallRejected
  | BudgetCheckRequested
  | BudgetChecked
  | BudgetCheckFailed;

const TYPES: ReadonlySet<string> = new Set<RunEvent['type']>([
  'WorkflowStarted',
  'TimerStarted',
  'TimerFired',
  'SignalAwaited',
  'SignalReceived',
  'ChildStarted',
  'ChildEnded',
  'StepCancelled',
  'RunCancelRequested',
  'WorkflowEnded',
  'WorkflowGivenUp',
  'FunctionCallRequested',
  'FunctionCallCompleted',
  'FunctionCallFailed',
  'ToolCallRequested',
  'ToolCallCompleted',
  'ToolCallFailed',
  'ToolCallRejected',
  'BudgetCheckRequested',
  'BudgetChecked',
  'BudgetCheckFailed',
]);

export function isRunEvent(event: RecordedEvent): event is RecordedEvent<RunEvent> {
  return TYPES.has(event.type);
}

/** An event as one line of plain language. */
export function describeRunEvent({ type, data }: RecordedEvent<RunEvent>): string {
  switch (type) {
    case 'WorkflowStarted':
      return started(data);
    case 'FunctionCallRequested':
      return `function ${oneLine(data.fnName)} is asked${data.attempt === undefined || data.attempt === 1 ? '' : `, attempt ${data.attempt}`}`;
    case 'FunctionCallCompleted':
      return `in ${Math.round(data.durationMs)} ms: ${jsonLine(data.result)}`;
    case 'FunctionCallFailed':
      return failed(data.failure);
    case 'ToolCallRequested':
      return `tool ${oneLine(data.toolId)} is called with ${given(data)}${data.attempt === 1 ? '' : `, attempt ${data.attempt}`}`;
    case 'ToolCallCompleted':
      return `in ${Math.round(data.durationMs)} ms: ${jsonLine(data.result)}`;
    case 'BudgetCheckRequested':
      return `a call that may use ${amount(data.estimate, data.max)}, for a budget per ${data.per}`;
    case 'BudgetChecked':
      return `spent before: ${amount(data.spent, data.max)}`;
    case 'BudgetCheckFailed':
    case 'ToolCallFailed':
      return failed(data.failure);
    case 'ToolCallRejected':
      return `tool ${oneLine(data.toolId)} is not called: ${oneLine(data.error.message, 140)}`;
    case 'SignalAwaited':
      return `waits for the signal ${oneLine(data.signal)}${data.prompt === undefined ? '' : `: ${jsonLine(data.prompt)}`}`;
    case 'SignalReceived':
      return `signal ${oneLine(data.signal)}: ${jsonLine(data.payload)}`;
    case 'TimerStarted':
      return `waits for ${data.afterMs} ms`;
    case 'WorkflowEnded':
      return ended(data);
    case 'WorkflowGivenUp':
    case 'RunCancelRequested':
      return oneLine(data.reason ?? '', 140);
    case 'ChildStarted':
      return `${data.workflow} ${data.runId}`;
    default:
      return data.stepId;
  }
}

function started({ workflow, version, facts }: WorkflowStarted['data']): string {
  const proposer = facts['proposer'] as (JsonObject & ProposerMode) | undefined;
  return workflow === solicitation.name && proposer
    ? `${decider(proposer)} is asked`
    : `${workflow} version ${version}`;
}

function decider(proposer: ProposerMode): string {
  switch (proposer.kind) {
    case 'model':
      return `model ${oneLine(proposer.routes[0]?.modelId ?? '')}`;
    case 'strategy':
      return `strategy ${proposer.strategyFnName}`;
    case 'webhook':
      return `webhook ${oneLine(proposer.strategyWebhookUrl)}`;
    case 'workflow':
      return `workflow ${proposer.workflow}`;
  }
}

/** Beside the maximum of each. */
function amount({ tokens, costUSD }: Spending, { maxTokens, maxUSD }: BudgetMax): string {
  return [
    ...(maxTokens === undefined ? [] : [`${tokens} of ${maxTokens} tokens`]),
    ...(maxUSD === undefined ? [] : [`${costUSD} of ${maxUSD} US dollars`]),
  ].join(', ');
}

function given({ arguments: own, argumentsFrom: from }: ToolCallRequested['data']): string {
  return from ? `the arguments of call ${from.call} in ${oneLine(from.reply)}` : jsonLine(own);
}

const rungs: { readonly [Rung in SolicitationChoice['rung']]: string } = {
  strategy: 'by the strategy',
  workflow: 'by the workflow',
  tools: 'by a tool call',
  reask: 'by the second tool call',
  decision: 'by the decision in the text',
  structured: 'by the structured decision',
  text: 'by the text call',
};

function ended({ status, result, failure }: WorkflowEnded['data']): string {
  if (failure) return failed(failure);
  if (isChoice(result)) {
    return `${oneLine(result.transitionName)} → ${oneLine(result.toState)}, ${rungs[result.rung]}`;
  }
  return result === undefined ? status : `${status}: ${jsonLine(result)}`;
}

function failed({ kind, message }: { readonly kind: string; readonly message: string }): string {
  return `${kind}: ${oneLine(message, 140)}`;
}

function isChoice(result: Json | undefined): result is JsonObject & SolicitationChoice {
  return isJsonObject(result) && 'transitionName' in result && 'rung' in result;
}
