import type { Activity, ActivityFailure, Outcome } from '#lib/workflow';
import { recordedCalls } from '#lib/call-rules';
import { StreamNames } from '#lib/event-store';
import { type Json, type RecordedEvent, sha256 } from '#lib/kernel';
import { RunHistory } from '#lib/workflow/testing';
import { arbitration, type ArbitrationState } from '../arbitration.workflow.js';
import { type Arbiter, ARBITRATION_ID, askingSession } from './asking-session.js';

/** The function returns this result. */
export function returns(result: Json): Outcome {
  return { completed: { result, durationMs: 4 } };
}

/** The webhook replies. `body` is sent as JSON; a text is sent unchanged. */
export function replies(status: number, body: Json, responseHeaders: Record<string, string> = {}): Outcome {
  const content = typeof body === 'string' ? body : JSON.stringify(body);
  const reply = { encoding: 'utf8', content, sha256: sha256(content) };
  const requestHeaders = { Authorization: '[REDACTED]' };
  return { completed: { status, requestHeaders, responseHeaders, body: reply, durationMs: 10 } };
}

/** The call fails without a reply. Default: a refused connection. */
export function fails(failure: Partial<ActivityFailure> = {}): Outcome {
  const network = { kind: 'network', message: 'connect ECONNREFUSED', retryable: true, durationMs: 5 };
  return { failed: { failure: { ...network, ...failure } } };
}

const activities: readonly Activity[] = recordedCalls.all.map((rules) => ({
  ...rules,
  preflight: () => undefined,
  perform: () => Promise.reject(new Error('A script answers.')),
}));

/** An arbitration with these outcomes of its calls, in order. Every pause before a call passes. */
export function arbitrated(
  arbiter: Arbiter,
  script: readonly Outcome[],
  maxAttempts = 1,
  exemplars: ArbitrationState['exemplars'] = [],
): RunHistory {
  const policies = { maxAttempts, callTimeoutMs: 5000, webhookTimeoutMs: 7000 };
  return play(askingSession(arbiter), { policies, exemplars }, script);
}

/** @param session up to the request of the arbitration `ARBITRATION_ID` */
export function play(
  session: readonly RecordedEvent[],
  { policies, exemplars }: Pick<ArbitrationState, 'policies' | 'exemplars'>,
  script: readonly Outcome[],
): RunHistory {
  const owner = { stream: new StreamNames().withoutPrefix(session[0]?.stream ?? '') };
  const facts = { exemplars: exemplars as Json };
  const given = {
    input: { policies },
    facts,
    activities,
    contextEvents: session,
    owner,
    runId: ARBITRATION_ID,
  };
  const history = RunHistory.of(arbitration, given);
  for (const outcome of script) {
    for (const [stepId, { kind }] of history.open) if (kind === 'timer') history.fire(stepId);
    const [stepId] = history.open.keys();
    if (stepId === undefined) throw new Error('The arbitration has ended, and the script goes on.');
    history.answer(stepId, outcome);
  }
  return history;
}
