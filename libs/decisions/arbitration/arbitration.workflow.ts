import type {
  FunctionCall,
  FunctionCallCompleted,
  FunctionCallFailed,
  WebhookCall,
  WebhookCallCompleted,
} from '#lib/call-rules';
import type { ArbiterContext, ArbitrationFailure, ContextExemplar, Verdict } from '#lib/decisions/session';
import type { Json, JsonObject } from '#lib/kernel';
import {
  attempts,
  delayed,
  done,
  type FailingAttempt,
  type Given,
  type JsonSchema,
  RunFails,
  scripted,
  type ScriptState,
  type Seen,
  type Steps,
  type Tried,
  type Workflow,
} from '#lib/workflow';
import { type ArbitrationContext, arbitrationContext } from './arbitration-context.js';
import { type ArbiterReply, readReply, readResult, unanswered } from './read-answer.js';

/** The part of an arbitration's input that is not derived from its session. */
export type ArbitrationInput = {
  readonly policies: {
    /** Calls at most, with the first. 1: no retries. */
    readonly maxAttempts: number;
    /** The time limit for the call of a function, in ms. */
    readonly callTimeoutMs: number;
    /** The time limit for the call of a webhook, in ms. */
    readonly webhookTimeoutMs: number;
  };
};

export interface ArbitrationState extends ArbitrationInput, ArbitrationContext {
  /** Earlier decisions of people in this state, newest first. */
  readonly exemplars: readonly ContextExemplar[];
}

const input: JsonSchema = {
  type: 'object',
  properties: {
    policies: {
      type: 'object',
      properties: {
        maxAttempts: { type: 'integer' },
        callTimeoutMs: { type: 'number' },
        webhookTimeoutMs: { type: 'number' },
      },
      required: ['maxAttempts', 'callTimeoutMs', 'webhookTimeoutMs'],
    },
  },
  required: ['policies'],
};

/** Asks one arbiter, a function or a webhook, for one verdict: a call, retries if these may help, and the reading of the reply. */
function* asked({ start: { data }, context }: Given): Steps<Json> {
  const given = { ...(data.input as object), ...data.facts, ...(context as JsonObject) } as ArbitrationState &
    JsonObject;
  let latencyMs = 0;
  const tried = yield* attempts<Verdict, FailedCall>({
    *call(attempt) {
      const { event } = yield* done({ do: 'call', id: `ask#${attempt}`, ...arbiterCall(given, attempt) });
      const reply = replyIn(event);
      latencyMs += reply.durationMs;
      return reply;
    },
    pauses: { after: delayed(given.policies.maxAttempts), id: (attempt) => `pause#${attempt}` },
  });
  if ('value' in tried) return { verdict: { latencyMsec: latencyMs, ...tried.value } };
  const { kind, message, upstreamStatus } = tried.failed.failure;
  throw new RunFails({ kind, message }, upstreamStatus === undefined ? undefined : { upstreamStatus });
}

/** Version 1 since 0.2.0. A change that alters replays is a new version. */
export const arbitration: Workflow<ScriptState> = {
  name: 'arbitration',
  internal: true,
  versions: { 1: scripted({ input, facts: ['exemplars'], contextOf: arbitrationContext }, asked) },
};

interface FailedCall extends FailingAttempt {
  readonly failure: ArbitrationFailure;
}

function replyIn({
  type,
  data,
  occurredAt,
}: Seen): Tried<Verdict, FailedCall> & { readonly durationMs: number } {
  const { failure, durationMs = failure?.durationMs ?? 0 } = data as Partial<FunctionCallFailed['data']> & {
    readonly durationMs?: number;
  };
  const reply = failure ? unanswered(failure) : readAnswer(type, data, occurredAt);
  if (reply.kind === 'verdict') return { value: reply.verdict, durationMs };
  return { failed: { ...reply, kind: failure?.kind ?? reply.failure.kind }, durationMs };
}

function readAnswer(type: string, data: object, occurredAt: string): ArbiterReply {
  if (type === 'FunctionCallCompleted') return readResult((data as FunctionCallCompleted['data']).result);
  return readReply(data as WebhookCallCompleted['data'], occurredAt);
}

function arbiterCall(state: ArbitrationState, attempt: number) {
  const { arbiter, arbiterId: specialistId, round, policies } = state;
  const asked = arbiterInput(state);
  const call = { purpose: 'verdict', attempt } as const;
  if (arbiter.kind === 'function') {
    const { strategyFnName: fnName } = arbiter;
    const input: FunctionCall = { fnName, ...call, timeoutMs: policies.callTimeoutMs, input: asked };
    return { activity: 'function', input };
  }
  const { url, tokenName } = arbiter;
  const timeoutMs = policies.webhookTimeoutMs;
  const who = { specialistId, machineName: round.machineName, tokenName };
  const input: WebhookCall = { url, ...call, ...who, timeoutMs, requestBody: asked };
  return { activity: 'webhook', input };
}

/** The arbiter's input: the round, with the alignment under DIAL's name and earlier decisions of people. */
function arbiterInput({
  round,
  exemplars: humanGoldExamples,
}: Pick<ArbitrationState, 'round' | 'exemplars'>): ArbiterContext {
  const examples = humanGoldExamples.length > 0 ? { humanGoldExamples } : {};
  return { ...round, alignmentScores: round.alignment, ...examples };
}
