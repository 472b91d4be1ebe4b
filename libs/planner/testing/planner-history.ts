import { type ActivityFailure, ALLOWANCE, grantedAllowance, type Outcome } from '#lib/workflow';
import { llmCallRules, type PriceInForce, toolCallRules } from '#lib/call-rules';
import { type Json, type JsonObject, jsonText, sha256 } from '#lib/kernel';
import { sampleRoute } from '#lib/call-rules/testing';
import type { ToolFact } from '#lib/runs/tools/core';
import { tool } from '#lib/runs/tools/testing';
import { RunHistory } from '#lib/workflow/testing';
import type { PlannerInput } from '../planner.input.js';
import { planner } from '../planner.workflow.js';

export { tool };

const idle = { preflight: () => undefined, perform: () => Promise.reject(new Error('not called')) };

/** A run of the planner with the tool `find`. */
export function given(
  changes: Partial<PlannerInput> = {},
  tools: readonly ToolFact[] = [tool('find')],
  price?: PriceInForce,
  facts: { readonly [name: string]: Json } = { [ALLOWANCE]: grantedAllowance() },
): RunHistory {
  const input = {
    systemPrompt: 'You help.',
    userPrompt: 'Help me.',
    model: 'gpt-4o-mini',
    tools: ['find'],
    ...changes,
  };
  const model = {
    routes: [sampleRoute(input.model, { maxAttempts: 2, ...(price && { price }) })],
    seed: 'run',
  };
  return RunHistory.of(planner, {
    input: input as object as JsonObject,
    facts: { model: model as object as JsonObject, tools: tools as object as Json, ...facts },
    activities: [
      { ...llmCallRules, ...idle },
      { ...toolCallRules, ...idle },
    ],
  });
}

export interface ReplyOptions {
  readonly finishReason?: string | undefined;
  readonly status?: number;
  readonly usage?: JsonObject;
}

type ProviderCall = { id: string; type: 'function'; function: { name: string; arguments: string } };

/** A reply of the model. */
export function answer(
  content: string | null,
  calls: readonly ProviderCall[] = [],
  { status = 200, usage, ...more }: ReplyOptions = {},
): Outcome {
  const finishReason = 'finishReason' in more ? more.finishReason : calls.length > 0 ? 'tool_calls' : 'stop';
  const message = { role: 'assistant', content, ...(calls.length > 0 && { tool_calls: [...calls] }) };
  const choice = { index: 0, message, ...(finishReason !== undefined && { finish_reason: finishReason }) };
  const text = jsonText(
    status === 200 ? { id: 'x', choices: [choice], ...(usage && { usage }) } : { error: 'no' },
  );
  const body = { encoding: 'utf8', content: text, sha256: sha256(text) };
  return { completed: { status, requestHeaders: {}, responseHeaders: {}, body, durationMs: 1 } };
}

/** A reply that calls tools, each given as `[name, arguments text]`; the last argument may be options. */
export function ask(...calls: readonly (readonly [string, string] | ReplyOptions)[]): Outcome {
  const named = calls.filter((call): call is readonly [string, string] => Array.isArray(call));
  const options = calls.find((call): call is ReplyOptions => !Array.isArray(call)) ?? {};
  const asked = named.map(([name, text], index): ProviderCall => {
    return { id: `p-${index + 1}`, type: 'function', function: { name, arguments: text } };
  });
  return answer(null, asked, options);
}

export function toolOk(data: Json): Outcome {
  return { completed: { result: { success: true, message: 'ok', data }, durationMs: 1 } };
}

export function toolFailed(): Outcome {
  return failedWith({ kind: 'function', message: 'broken', retryable: false, durationMs: 1 });
}

export function interrupted(retryable: boolean): Outcome {
  return failedWith({ kind: 'interrupted', message: 'interrupted', retryable, durationMs: 1 });
}

function failedWith(failure: ActivityFailure): Outcome {
  return { failed: { failure } };
}

/** The recorded result of a run that has ended. */
export function resultIn(history: RunHistory): Json | undefined {
  return history.end?.result;
}

/** The result as readers get it. */
export function wholeOf({ run, end }: RunHistory): Json {
  return run.rules.wholeResult?.(run.state, end?.result ?? {}) ?? null;
}

export function messagesIn(history: RunHistory): readonly Json[] {
  const { messages } = wholeOf(history) as { messages: readonly Json[] };
  return messages;
}
