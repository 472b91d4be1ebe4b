import type { ActivityEvent, ActivityFailure } from '#lib/workflow';
import {
  delayBefore,
  type FunctionCall,
  type FunctionCallCompleted,
  type FunctionCallFailed,
  MOST_INTERRUPTIONS,
  type WebhookCall,
  type WebhookCallCompleted,
} from '#lib/call-rules';
import type { JsonObject } from '#lib/kernel';
import type { ArbiterContext, ContextExemplar } from '#lib/decisions/session';
import type { JsonSchema, Rules, RuntimeEvent, Seen, Step, Workflow } from '#lib/workflow';
import { type ArbitrationContext, arbitrationContext } from './arbitration-context.js';
import { type ArbiterReply, readReply, readResult, unanswered } from './read-answer.js';

/** The input of an arbitration that does not follow from its session. */
export type ArbitrationInput = {
  readonly policies: {
    /** Calls at most, the first included. 1: no retries. */
    readonly maxAttempts: number;
    /** Milliseconds until a call of a function is given up. */
    readonly callTimeoutMs: number;
    /** Milliseconds until a call of a webhook is given up. */
    readonly webhookTimeoutMs: number;
  };
};

export interface ArbitrationState extends ArbitrationInput, ArbitrationContext {
  /** Earlier decisions of people in this state, newest first. */
  readonly exemplars: readonly ContextExemplar[];
  /** Calls that have an outcome. */
  readonly calls: number;
  /** How many of them were interrupted. */
  readonly interruptions: number;
  /** Milliseconds that they took together. */
  readonly latencyMs: number;
  /** The result of the last one; `undefined` if the next call needs no reason. */
  readonly reply: ArbiterReply | undefined;
  /** The pause before the next call is over. */
  readonly isRested: boolean;
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

/**
 * Asks one arbiter, a function or a webhook, for one verdict: a call, a repeat if that may help, and the reading of the reply.
 * Version 1 since 0.2.0. A change that alters the replay of histories is a new version here.
 */
const rules: Rules<ArbitrationState> = {
  input,
  facts: ['exemplars'],
  contextOf: arbitrationContext,
  initialState: ({ data }, context) => ({
    ...(data.input as ArbitrationInput),
    ...(data.facts as JsonObject & Pick<ArbitrationState, 'exemplars'>),
    ...(context as ArbitrationContext),
    calls: 0,
    interruptions: 0,
    latencyMs: 0,
    reply: undefined,
    isRested: false,
  }),
  evolve,
  next,
};

export const arbitration: Workflow<ArbitrationState> = {
  name: 'arbitration',
  internal: true,
  versions: { 1: rules },
};

function evolve(
  state: ArbitrationState,
  { type, data, occurredAt }: Seen<RuntimeEvent | ActivityEvent>,
): ArbitrationState {
  switch (type) {
    case 'FunctionCallCompleted': {
      const { result, durationMs } = data as FunctionCallCompleted['data'];
      return answered(state, readResult(result), durationMs);
    }
    case 'WebhookCallCompleted': {
      const reply = data as WebhookCallCompleted['data'];
      return answered(state, readReply(reply, occurredAt), reply.durationMs);
    }
    case 'FunctionCallFailed':
    case 'WebhookCallFailed': {
      const { failure } = data as FunctionCallFailed['data'];
      if (failure.kind === 'interrupted') return interrupted(state, failure);
      return answered(state, unanswered(failure), failure.durationMs);
    }
    case 'TimerFired':
      return { ...state, isRested: true };
    default:
      return state;
  }
}

/** The call may or may not have been made: it is made again if that is safe. */
function interrupted(state: ArbitrationState, failure: ActivityFailure): ArbitrationState {
  const interruptions = state.interruptions + 1;
  const isAgain = failure.retryable && interruptions < MOST_INTERRUPTIONS;
  const reply = isAgain ? undefined : unanswered({ ...failure, retryable: false });
  return answered({ ...state, interruptions }, reply, failure.durationMs);
}

function answered(
  state: ArbitrationState,
  reply: ArbitrationState['reply'],
  durationMs: number,
): ArbitrationState {
  const { calls, latencyMs } = state;
  return { ...state, calls: calls + 1, latencyMs: latencyMs + durationMs, reply, isRested: false };
}

/** The next step after all recorded events: ask, ask again if a repeat may help, or end. */
function next(state: ArbitrationState): readonly Step<never>[] {
  const { calls, interruptions, reply, policies, isRested, latencyMs } = state;
  const attempt = calls + 1;
  if (!reply) return [ask(state, attempt)];
  if (reply.kind === 'verdict')
    return [{ do: 'end', result: { verdict: { latencyMsec: latencyMs, ...reply.verdict } } }];
  const failures = calls - interruptions;
  if (!reply.retryable || failures >= policies.maxAttempts) return [failed(reply)];
  const afterMs = delayBefore(failures + 1, reply.retryAfterMs);
  if (afterMs > 0 && !isRested) return [{ do: 'timer', id: `pause#${attempt}`, afterMs }];
  return [ask(state, attempt)];
}

function failed({ failure }: Extract<ArbiterReply, { kind: 'failed' }>): Step<never> {
  const { kind, message, upstreamStatus } = failure;
  const result = upstreamStatus !== undefined && { result: { upstreamStatus } };
  return { do: 'fail', failure: { kind, message }, ...result };
}

function ask(state: ArbitrationState, attempt: number): Step<never> {
  return { do: 'call', id: `ask#${attempt}`, ...arbiterCall(state, attempt) };
}

/** The call that asks the arbiter. */
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
