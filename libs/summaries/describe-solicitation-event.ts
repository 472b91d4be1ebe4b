import {
  type LlmCallCompleted,
  type LlmCallEvent,
  type LlmCallRequested,
  readReply,
  type WebhookCallCompleted,
  type WebhookCallFailed,
  type WebhookCallRequested,
} from '#lib/call-rules';
import { ERASED_TEXT } from '#lib/event-store';
import { isJsonObject, jsonLine, oneLine } from '#lib/kernel';
import { type FallbackTaken, isLadderStep, type LadderStep } from '#lib/decisions/solicitation';
import { again, failed } from './describe-run-event.js';
import type { Descriptions } from './descriptions.js';

/** The events of solicitations, except those of every run and of calls to models and webhooks. */
export type SolicitationEvent =
  | LlmCallEvent
  | WebhookCallRequested
  | WebhookCallCompleted
  | WebhookCallFailed
  | FallbackTaken;

/** The events of solicitations. */
export const solicitationDescriptions: Descriptions<SolicitationEvent> = {
  LlmCallRequested: requested,
  LlmCallCompleted: completed,
  LlmCallFailed: failed,
  FallbackTaken: fallback,
  WebhookCallRequested: (data) =>
    `webhook ${oneLine(data.url)} is asked for the ${asked[data.purpose]}${again(data)}`,
  WebhookCallCompleted: (data) => `${data.status} in ${ms(data)}: ${oneLine(data.body.content)}`,
  WebhookCallFailed: failed,
};

const asked: { readonly [purpose: string]: string } = {
  strategy: 'choice',
  context: 'context',
  verdict: 'verdict',
};

function requested(data: LlmCallRequested['data']): string {
  const { labels, attempt = 1, body } = data;
  const more = again({ attempt });
  const rung = labels?.['rung'];
  if (rung === 'text') return `text call: the decision is asked for as JSON${more}`;
  if (rung === 'structured') return `structured call: the decision is asked for as JSON of a schema${more}`;
  if (rung === 'reask') return `tool call once more, with what was wrong${more}`;
  if (rung === 'tools') return `${toolsAsked(data)}${more}`;
  return `model ${oneLine(modelOf(body))} is asked${more}`;
}

function modelOf({ model }: LlmCallRequested['data']['body']): string {
  return typeof model === 'string' ? model : '';
}

/** Without the hash the content was erased or left out, and the tools with it. */
function toolsAsked({ body: { tools }, bodySha256 }: LlmCallRequested['data']): string {
  if (Array.isArray(tools)) return `tool call: ${tools.map(toolName).join(', ')} are offered`;
  // Tools that an earlier request of the run holds are named by their hash.
  if (tools !== undefined) return 'tool call: the same tools are offered';
  if (bodySha256 === undefined || bodySha256 === ERASED_TEXT) return 'tool call';
  return 'call without tools: the decision is asked for as JSON';
}

function toolName(tool: unknown): string {
  const named = isJsonObject(tool) && isJsonObject(tool['function']) ? tool['function']['name'] : undefined;
  return typeof named === 'string' ? oneLine(named) : '?';
}

function completed(data: LlmCallCompleted['data']): string {
  if (data.body.content === ERASED_TEXT) return `${data.status} in ${ms(data)}: ${ERASED_TEXT}`;
  const reply = readReply(data);
  if (reply.kind === 'failed') return `${data.status} in ${ms(data)}: ${oneLine(reply.failure.message, 140)}`;
  const { usage, toolCall, content } = reply;
  const tokens = usage ? `, ${usage.promptTokens ?? '?'} + ${usage.completionTokens ?? '?'} tokens` : '';
  const said = toolCall
    ? `calls ${oneLine(toolCall.name)} ${oneLine(toolCall.argumentsText)}`
    : `says ${oneLine(content)}`;
  return `${data.status} in ${ms(data)}${tokens}: ${said}`;
}

const reasons: { readonly [Reason in LadderStep['reason']]: string } = {
  'no-tool-call': 'the reply calls no tool: its text is read for a decision',
  'not-json': 'the text holds no decision: the model is asked again in text mode',
  'not-a-decision': 'the JSON in the text is not a decision: the model is asked for one',
  'invalid-arguments': 'the arguments do not fit',
};

function fallback(data: FallbackTaken['data']): string {
  if (isLadderStep(data)) return ladderStep(data);
  const { from, to, reason, upstreamStatus } = data;
  return `${oneLine(from)} → ${oneLine(to)}: ${reason}${upstreamStatus === undefined ? '' : ` ${upstreamStatus}`}`;
}

function ladderStep({ from, to, reason, argumentErrors = [] }: LadderStep): string {
  const errors = argumentErrors.map(
    ({ path, keyword, params }) => `${path || '(root)'} ${keyword} ${jsonLine(params)}`,
  );
  return [`${from} → ${to}: ${reasons[reason]}`, ...errors].join(' ');
}

function ms({ durationMs }: { readonly durationMs: number }): string {
  return `${Math.round(durationMs)} ms`;
}
