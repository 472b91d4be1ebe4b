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
} from '#lib/call-rules';
import { isJsonObject, type Json, jsonLine, type JsonObject, oneLine } from '#lib/kernel';
import { type ProposerMode, solicitation, type SolicitationChoice } from '#lib/decisions/solicitation';
import { APPROVAL, type RuntimeEvent, type WorkflowEnded, type WorkflowStarted } from '#lib/workflow';
import { choiceText, goesOn } from './text.js';
import type { Descriptions } from './descriptions.js';

/** The events of all runs, except those of their workflow and of calls to models and webhooks. */
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

/** The events of runs. */
export const runDescriptions: Descriptions<RunEvent> = {
  WorkflowStarted: started,
  WorkflowForked: ({ overrides: { model } = {}, ...data }) =>
    goesOn(data, model === undefined ? '' : `, with the model ${oneLine(model)}`),
  FunctionCallRequested: ({ fnName, attempt }) => `function ${oneLine(fnName)} is asked${again({ attempt })}`,
  FunctionCallCompleted: completed,
  FunctionCallFailed: failed,
  ToolCallRequested: (data) => `tool ${oneLine(data.toolId)} is called with ${given(data)}${again(data)}`,
  ToolCallCompleted: completed,
  ToolCallFailed: failed,
  ToolCallRejected: ({ toolId, error }) =>
    `tool ${oneLine(toolId)} is not called: ${oneLine(error.message, 140)}`,
  BudgetCheckRequested: ({ estimate, max, per }) =>
    `a call that may use ${amount(estimate, max)}, for a budget per ${per}`,
  BudgetChecked: ({ spent, max }) => `spent before: ${amount(spent, max)}`,
  BudgetCheckFailed: failed,
  SignalAwaited: awaited,
  SignalReceived: received,
  ChoiceGiven: ({ signal, payload, by }) => `${oneLine(by)} says to ${oneLine(signal)}: ${jsonLine(payload)}`,
  ClockRequested: ({ by }) => `${oneLine(by)} asks for a clock of the wait`,
  DueMoved: ({ dueAt, expiresAt, by }) =>
    `${oneLine(by)} moves it${dueAt === undefined ? '' : `, due ${dueAt}`}${expiresAt === undefined ? '' : `, expires ${expiresAt}`}`,
  TimerStarted: ({ afterMs }) => `waits for ${afterMs} ms`,
  TimerFired: ({ stepId }) => stepId,
  StepCancelled: ({ stepId }) => stepId,
  ChildStarted: ({ workflow, runId }) => `${workflow} ${runId}`,
  ChildEnded: ({ stepId }) => stepId,
  WorkflowEnded: ended,
  WorkflowGivenUp: ({ reason = '' }) => oneLine(reason, 140) || 'given up',
  RunCancelRequested: ({ reason = '' }) => oneLine(reason, 140) || 'asked to end',
};

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

/** The spending, with the maximum of each amount. */
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
  if (failure) return failed({ failure });
  if (isChoice(result)) return `${choiceText(result)}, ${rungs[result.rung]}`;
  return result === undefined ? status : `${status}: ${jsonLine(result)}`;
}

function completed({ durationMs, result }: { durationMs: number; result: unknown }): string {
  return `in ${Math.round(durationMs)} ms: ${jsonLine(result)}`;
}

export function failed({ failure }: { failure: { kind: string; message: string } }): string {
  return `${failure.kind}: ${oneLine(failure.message, 140)}`;
}

export function again({ attempt = 1 }: { attempt?: number | undefined }): string {
  return attempt === 1 ? '' : `, attempt ${attempt}`;
}

function isChoice(result: Json | undefined): result is JsonObject & SolicitationChoice {
  return isJsonObject(result) && 'transitionName' in result && 'rung' in result;
}

type DataOf<Type extends RuntimeEvent['type']> = Extract<RuntimeEvent, { type: Type }>['data'];

/** A wait for an approval is about the call of a tool. */
function awaited({ signal, prompt }: DataOf<'SignalAwaited'>): string {
  if (signal === APPROVAL && isJsonObject(prompt) && typeof prompt['toolId'] === 'string')
    return `waits for an approval of ${oneLine(prompt['toolId'])} with ${jsonLine(prompt['arguments'])}`;
  return `waits for the signal ${oneLine(signal)}${prompt === undefined ? '' : `: ${jsonLine(prompt)}`}`;
}

function received({ signal, payload, by }: DataOf<'SignalReceived'>): string {
  const author = by === undefined ? '' : ` by ${oneLine(by)}`;
  const approval = signal === APPROVAL ? approvalWords(payload, author) : undefined;
  return approval ?? `signal ${oneLine(signal)}${author}: ${jsonLine(payload)}`;
}

/** @returns undefined for a payload with other members: the line would hide them */
function approvalWords(payload: Json, author: string): string | undefined {
  if (!isJsonObject(payload)) return undefined;
  const { approved, reason, arguments: changed, ...others } = payload;
  if (typeof approved !== 'boolean' || Object.keys(others).length > 0) return undefined;
  const edit = changed === undefined ? '' : ` with ${jsonLine(changed)}`;
  const why = typeof reason === 'string' ? `: ${oneLine(reason, 140)}` : '';
  return `${approved ? 'approved' : 'refused'}${author}${edit}${why}`;
}
