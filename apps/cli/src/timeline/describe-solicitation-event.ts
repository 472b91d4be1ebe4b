import { readReply } from '#lib/calls';
import { isJsonObject, type RecordedEvent } from '#lib/kernel';
import {
  type FallbackTaken,
  type LlmCallCompleted,
  type LlmCallRequested,
  type ProposerMode,
  type SolicitationEvent,
  type SolicitationStarted,
} from '#lib/solicitation';
import { jsonLine, oneLine } from '../format/one-line.js';

/** What happened, in the words of a person. One line. */
export function describeSolicitationEvent({ type, data }: RecordedEvent<SolicitationEvent>): string {
  switch (type) {
    case 'SolicitationStarted':
      return started(data);
    case 'LlmCallRequested':
      return requested(data);
    case 'LlmCallCompleted':
      return completed(data);
    case 'FallbackTaken':
      return fallback(data);
    case 'ContextRequested':
      return `function ${data.contextFnName} is asked for the context`;
    case 'ContextCompleted':
      return `in ${ms(data)}: "${oneLine(data.text)}"`;
    case 'StrategyCallRequested':
      return `function ${data.strategyFnName} is asked`;
    case 'StrategyCallCompleted':
      return `in ${ms(data)}: ${jsonLine(data.result)}`;
    case 'WebhookCallRequested':
      return `webhook ${oneLine(data.url)} is asked for the ${asked[data.purpose]}${again(data)}`;
    case 'WebhookCallCompleted':
      return `${data.status} in ${ms(data)}: ${oneLine(data.body.content)}`;
    case 'LlmCallFailed':
    case 'WebhookCallFailed':
    case 'ContextFailed':
    case 'StrategyCallFailed':
    case 'SolicitationFailed':
      return `${data.failure.kind}: ${oneLine(data.failure.message, 140)}`;
    case 'SolicitationSucceeded':
      return `${oneLine(data.transitionName)} → ${oneLine(data.toState)}, ${rungs[data.rung]}`;
  }
}

const asked: { readonly [purpose: string]: string } = {
  strategy: 'choice',
  context: 'context',
  verdict: 'verdict',
};

const rungs = {
  strategy: 'by the strategy',
  tools: 'by a tool call',
  reask: 'by the second tool call',
  decision: 'by the decision in the text',
  text: 'by the text call',
};

function started({ proposer, context }: SolicitationStarted['data']): string {
  const choices = Object.keys(context.transitions).map((name) => oneLine(name));
  return `${decider(proposer)} chooses in ${oneLine(context.currentState)}: ${choices.join(' | ')}`;
}

function decider(proposer: ProposerMode): string {
  switch (proposer.kind) {
    case 'model':
      return `model ${oneLine(proposer.modelId)}`;
    case 'strategy':
      return `strategy ${proposer.strategyFnName}`;
    case 'webhook':
      return `webhook ${oneLine(proposer.strategyWebhookUrl)}`;
  }
}

function requested({ rung, attempt, requestBody }: LlmCallRequested['data']): string {
  const more = again({ attempt });
  if (rung === 'text') return `text call: the decision is asked for as JSON${more}`;
  if (rung === 'reask') return `tool call once more, with what was wrong${more}`;
  return `tool call: ${toolNames(requestBody['tools']).join(', ')} are offered${more}`;
}

function again({ attempt }: { readonly attempt: number }): string {
  return attempt === 1 ? '' : `, attempt ${attempt}`;
}

function toolNames(tools: unknown): readonly string[] {
  const offered: readonly unknown[] = Array.isArray(tools) ? tools : [];
  return offered.map((tool) => {
    const named = isJsonObject(tool) && isJsonObject(tool['function']) ? tool['function']['name'] : undefined;
    return typeof named === 'string' ? oneLine(named) : '?';
  });
}

function completed(data: LlmCallCompleted['data']): string {
  const reply = readReply(data);
  if (reply.kind === 'failed') return `${data.status} in ${ms(data)}: ${oneLine(reply.failure.message, 140)}`;
  const { usage, toolCall, content } = reply;
  const tokens = usage ? `, ${usage.promptTokens ?? '?'} + ${usage.completionTokens ?? '?'} tokens` : '';
  const said = toolCall
    ? `calls ${oneLine(toolCall.name)} ${oneLine(toolCall.argumentsText)}`
    : `says ${oneLine(content)}`;
  return `${data.status} in ${ms(data)}${tokens}: ${said}`;
}

const reasons: { readonly [Reason in FallbackTaken['data']['reason']]: string } = {
  'no-tool-call': 'the reply calls no tool, perhaps its text holds a decision',
  'not-json': 'the text is no decision either, so it is asked for',
  'not-a-decision': 'the JSON in the text is no decision, so it is asked for',
  'invalid-arguments': 'the arguments do not fit',
};

function fallback({ from, to, reason, argumentErrors = [] }: FallbackTaken['data']): string {
  const errors = argumentErrors.map(
    ({ path, keyword, params }) => `${path || '(root)'} ${keyword} ${jsonLine(params)}`,
  );
  return [`${from} → ${to}: ${reasons[reason]}`, ...errors].join(' ');
}

function ms({ durationMs }: { readonly durationMs: number }): string {
  return `${Math.round(durationMs)} ms`;
}
