import type { Page } from '../loop/declare.js';
import { dayOf, storedTime } from '../store/stored-values.js';
import { isOnText } from '#lib/decisions/solicitation';
import { type Call, llmCallDurations, type LlmCallOutcome, llmCallTotals } from './llm-calls.tables.js';

/** Outcomes without an answer that could be read. */
const UNREAD: ReadonlySet<LlmCallOutcome> = new Set(['failed', 'erased', 'pending']);

/** Changes a call: it is subtracted from the totals, changed, and added again. */
export function recounted(page: Page, call: Call, change: (call: Call) => void): void {
  countCall(page, call, -1);
  change(call);
  countCall(page, call, 1);
}

/** Adds a call to the totals, or subtracts it. The deepest fallback is a maximum: it only grows. */
export function countCall(page: Page, call: Call, sign: 1 | -1): void {
  const { outcome, durationMs, promptTokens, completionTokens, fallbacks } = call;
  const isKnown = isGiven(promptTokens) && isGiven(completionTokens);
  const hasTools = !isOnText(call.rung) && !UNREAD.has(outcome);
  const one = (is: boolean) => (is ? sign : 0);
  const { day, machineName, origin, provider, model } = keyOf(call);
  // Written out: a literal that begins with a spread takes microseconds.
  page.count(llmCallTotals, {
    day,
    machineName,
    origin,
    provider,
    model,
    isKnown: isKnown ? 1 : 0,
    calls: sign,
    failed: one(outcome === 'failed'),
    pending: one(outcome === 'pending'),
    toolCalls: one(outcome === 'toolCall'),
    toolsAnswered: one(hasTools),
    malformed: one(call.malformedArguments),
    invalid: one(call.invalidArguments),
    prompt: sign * (promptTokens ?? 0),
    completion: sign * (completionTokens ?? 0),
    cacheRead: sign * call.cacheReadTokens,
    cacheWrite: sign * call.cacheWriteTokens,
    reasoning: sign * call.reasoningTokens,
    timed: one(isGiven(durationMs)),
    durationMs: sign * (durationMs ?? 0),
    solicitations: one(call.isFirst),
    fallbacks: sign * fallbacks,
    deepest: fallbacks,
  });
}

/** Counts the duration of a call with an outcome. */
export function countDuration(page: Page, call: Call): void {
  const { durationMs } = call;
  if (!isGiven(durationMs)) return;
  page.count(llmCallDurations, { durationMs: inTwoDigits(durationMs), calls: 1, ...keyOf(call) });
}

function keyOf({ requestedAt, machineName, origin, provider, model }: Call) {
  return {
    day: dayOf(storedTime(requestedAt)),
    machineName: machineName ?? '',
    origin,
    provider,
    model,
  };
}

function isGiven(value: number | null | undefined): value is number {
  return value !== undefined && value !== null;
}

/** Two significant digits, halves upwards, as `callDurations` computes them. */
function inTwoDigits(milliseconds: number): number {
  let step = 1;
  while (step < 100_000 && milliseconds >= step * 100) step *= 10;
  return Math.floor(milliseconds / step + 0.5) * step;
}
