import type { LlmCallInput } from '#lib/calls';
import type { Json, JsonObject } from '#lib/kernel';
import type { ModelParameters } from './planner.input.js';

/** The declaration of something that a model may call. */
export interface OfferedTool {
  readonly name: string;
  readonly description: string;
  readonly parameters: JsonObject;
}

/** The body of a request. Without tools it has no member `tools`, and parameters that are not given are left out. */
export function modelBody(
  model: string,
  messages: readonly Json[],
  tools: readonly OfferedTool[],
  parameters: ModelParameters = {},
): LlmCallInput['body'] {
  const { temperature, topP, seed, maxTokens, maxTokensField = 'max_tokens', extraBody } = parameters;
  const { reasoningEffort, toolChoice, parallelToolCalls, stop } = parameters;
  const members: { readonly [name: string]: Json | readonly string[] | null | undefined } = {
    temperature: temperature ?? undefined,
    top_p: topP,
    seed,
    [maxTokensField]: maxTokens,
    reasoning_effort: reasoningEffort,
    tool_choice: toolChoice,
    parallel_tool_calls: parallelToolCalls,
    stop,
  };
  const given = Object.entries(members).filter(([, value]) => value !== undefined);
  return {
    model,
    messages: [...messages],
    ...(tools.length > 0 && { tools: tools.map((one) => ({ type: 'function', function: { ...one } })) }),
    ...Object.fromEntries(given),
    ...extraBody,
  };
}
