import { derivedId } from '#lib/kernel';
import { delayBefore } from '#lib/calls';
import type { Step } from '#lib/legacy-workflow';
import type { ArbiterCall, ArbitrationEvent, ArbitrationStarted } from './arbitration.events.js';
import { toldArbiter } from './arbitration-start.js';
import type { ArbitrationState } from './arbitration.state.js';

/** What to do now, given all that is recorded: ask, ask again where that is worth it, or say what came of it. */
export function nextStep(state: ArbitrationState): Step<ArbitrationEvent> {
  const { start, reply, requests } = state;
  if (!reply) return call(state);
  if (reply.kind === 'verdict') return end({ type: 'VerdictReached', data: reply.verdict });
  if (reply.retryable && requests < start.policies.maxAttempts) return call(state, reply.retryAfterMs);
  return end({ type: 'VerdictFailed', data: { failure: reply.failure } });
}

function call({ start, requests }: ArbitrationState, retryAfterMs?: number): Step<ArbitrationEvent> {
  const attempt = requests + 1;
  const data = {
    callId: derivedId(start.arbitrationId, String(requests)),
    attempt,
    delayMs: delayBefore(attempt, retryAfterMs),
    timeoutMs: start.policies.callTimeoutMs,
    ...callee(start),
  };
  return { kind: 'perform', request: { type: 'ArbiterCallRequested', data } };
}

function callee(start: ArbitrationStarted['data']): ArbiterCall {
  const { arbiter } = start;
  return arbiter.kind === 'function'
    ? { strategyFnName: arbiter.strategyFnName }
    : { url: arbiter.url, requestBody: toldArbiter(start) };
}

function end(event: ArbitrationEvent): Step<ArbitrationEvent> {
  return { kind: 'end', event };
}
