import {
  DEFAULT_PROVIDER,
  type LlmCallCompleted,
  type LlmCallFailed,
  type LlmCallRequested,
  parseReplyObject,
  readReply,
  type Reply,
  tokenBuckets,
  type ToolCall,
} from '#lib/call-rules';
import { answerOutcome, type CallRung, isOnText } from '#lib/decisions/solicitation';
import type { NumberedEvent, Page } from '../loop/declare.js';
import { received } from './answer.columns.js';
import { callIdOf } from './call-id.js';
import { countCall, countDuration, recounted } from './count-calls.fold.js';
import {
  type Call,
  type LlmCallOutcome,
  llmCallRuns,
  llmCalls,
  type RunOfCalls,
} from './llm-calls.tables.js';

/** @param workflow the category of the run's stream */
export function requested(
  page: Page,
  event: NumberedEvent<LlmCallRequested>,
  runId: string,
  workflow: string,
): void {
  const { data, occurredAt, number } = event;
  const { stepId, provider = DEFAULT_PROVIDER, attempt = 1, price } = data;
  const { rung, round } = data.labels ?? {};
  const model = typeof data.body['model'] === 'string' ? data.body['model'] : '';
  const run = page.see(llmCallRuns, runId);
  const call: Call = {
    callId: callIdOf(runId, stepId),
    runId,
    workflow,
    solicitationId: run?.solicitationId,
    sessionId: run?.sessionId,
    roundId: run?.roundId,
    specialistId: run?.specialistId,
    specialistVersion: run?.specialistVersion,
    machineName: run?.machineName,
    origin: run?.origin ?? 'live',
    stepId,
    rung: typeof rung === 'string' ? (rung as CallRung) : undefined,
    round: typeof round === 'number' ? round : undefined,
    provider,
    model,
    attempt,
    outcome: 'pending',
    responseIncomplete: false,
    isFirst: false,
    fallbacks: 0,
    malformedArguments: false,
    invalidArguments: false,
    cacheReadTokens: 0,
    cacheWriteTokens: 0,
    reasoningTokens: 0,
    price,
    day: occurredAt,
    requestedAt: occurredAt,
    number,
  };
  const asked = run && solicitationOf(page, run);
  if (asked) noteCall(asked, call);
  page.put(llmCalls, call);
  countCall(page, call, 1);
}

/** The solicitation of a run; `undefined` once it has ended. */
function solicitationOf(page: Page, { solicitationId }: Pick<RunOfCalls, 'solicitationId'>) {
  return typeof solicitationId === 'string' ? page.change(llmCallRuns, solicitationId) : undefined;
}

/** The fallbacks of a solicitation are on its first call to each model. */
function noteCall(asked: RunOfCalls, call: Call): void {
  const name = `${call.provider} ${call.model}`;
  const [firsts, fallbacks] = [asked.firsts ?? {}, asked.fallbacks ?? 0];
  asked.lastCall = call.callId;
  if (Object.hasOwn(firsts, name)) return;
  asked.firsts = { ...firsts, [name]: call.callId };
  Object.assign(call, { isFirst: true, fallbacks });
}

export function completed(
  page: Page,
  { data, metadata, occurredAt }: NumberedEvent<LlmCallCompleted>,
  runId: string,
): void {
  const reply = readReply(data);
  const completion = reply.kind === 'completion' ? reply : undefined;
  const { cacheRead, cacheWrite, reasoning } = tokenBuckets(reply.usage);
  settled(page, callIdOf(runId, data.stepId), (call) => {
    Object.assign(call, received(data, false));
    call.resolvedModel = completion?.resolvedModel;
    call.promptTokens = reply.usage?.promptTokens;
    call.completionTokens = reply.usage?.completionTokens;
    call.cacheReadTokens = cacheRead;
    call.cacheWriteTokens = cacheWrite;
    call.reasoningTokens = reasoning;
    call.durationMs = data.durationMs;
    call.firstTokenMs = data.firstTokenMs;
    call.malformedArguments = completion?.toolCall !== undefined && isMalformed(completion.toolCall, call);
    call.outcome = outcomeOf(call, reply, metadata.erased === true);
    call.error = reply.kind === 'failed' && call.outcome === 'failed' ? reply.failure.message : undefined;
    call.completedAt = occurredAt;
  });
}

export function failed(
  page: Page,
  { data, occurredAt: completedAt }: NumberedEvent<LlmCallFailed>,
  runId: string,
): void {
  const { durationMs, message: error } = data.failure;
  const answer = received(data.received, data.received !== undefined);
  settled(page, callIdOf(runId, data.stepId), (call) => {
    Object.assign(call, { ...answer, durationMs, error, outcome: 'failed', completedAt });
  });
}

/** @throws TypeError for an outcome without a request */
function settled(page: Page, callId: string, settle: (call: Call) => void): void {
  const call = page.change(llmCalls, callId);
  if (!call) throw new TypeError(`call ${callId} was never requested`);
  recounted(page, call, settle);
  countDuration(page, call);
}

/** An erased reply has its status alone. */
function outcomeOf({ rung }: Call, reply: Reply, isErased: boolean): LlmCallOutcome {
  if (reply.kind !== 'failed') return answerOutcome(rung, reply);
  return isErased && reply.failure.kind !== 'http-error' ? 'erased' : 'failed';
}

/** Empty arguments are valid for a tool without parameters; for other tools the run records the misfit. */
function isMalformed({ argumentsText }: ToolCall, call: Call): boolean {
  if (isOnText(call.rung)) return false;
  return argumentsText.trim() !== '' && parseReplyObject(argumentsText) === undefined;
}
