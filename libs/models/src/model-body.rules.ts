import type { LlmCallInput } from '#lib/calls';
import type { Json, JsonObject } from '#lib/kernel';
import type { ModelParameters } from '#lib/machine';

/** A tool of the OpenAI chat API. */
export type ChatTool = {
  readonly type: 'function';
  readonly function: { readonly name: string; readonly description: string; readonly parameters: JsonObject };
};

/** What a model is asked. */
export interface Question {
  readonly messages: readonly Json[];
  /** Without any, no member of tools is sent. */
  readonly tools?: readonly ChatTool[];
}

/** The body of a request. Parameters that are not given are left out. */
export function modelBody(
  model: string,
  { messages, tools = [] }: Question,
  parameters: ModelParameters = {},
): LlmCallInput['body'] {
  const { extraBody } = parameters;
  return {
    model,
    messages: [...messages],
    ...given(samplingMembers(parameters)),
    ...(tools.length > 0 && given({ tools: [...tools], ...toolMembers(parameters) })),
    ...extraBody,
  };
}

type Members = { readonly [name: string]: Json | readonly string[] | null | undefined };

function samplingMembers(parameters: ModelParameters): Members {
  const { temperature, topP, seed, maxTokens, maxTokensField = 'max_tokens' } = parameters;
  const { reasoningEffort, stop } = parameters;
  return {
    temperature,
    top_p: topP,
    seed,
    [maxTokensField]: maxTokens,
    reasoning_effort: reasoningEffort,
    stop,
  };
}

function toolMembers({ toolChoice, parallelToolCalls }: ModelParameters): Members {
  return { tool_choice: toolChoice, parallel_tool_calls: parallelToolCalls };
}

function given(members: Members): JsonObject {
  const known = Object.entries(members).filter(([, value]) => value !== undefined && value !== null);
  return Object.fromEntries(known);
}
