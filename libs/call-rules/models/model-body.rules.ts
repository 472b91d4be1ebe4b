import type { LlmCallInput } from '../llm/llm-call.events.js';
import { type Json, type JsonObject, ownMember } from '#lib/kernel';
import type { ModelParameters } from '../model-parameters.js';
import { type ModelRoute, takesTools } from './model-route.js';

/** A tool of the OpenAI chat API. */
export type ChatTool = {
  readonly type: 'function';
  readonly function: { readonly name: string; readonly description: string; readonly parameters: JsonObject };
};

/** A tool in the form in which models are offered it. */
export interface OfferedTool {
  readonly toolId: string;
  readonly description: string;
  readonly parameters: JsonObject;
}

export function chatTool({ toolId: name, description, parameters }: OfferedTool): ChatTool {
  return { type: 'function', function: { name, description, parameters } };
}

/** A request to a model. */
export interface Question {
  readonly messages: readonly Json[];
  /** If there are none, no member of tools is sent. */
  readonly tools?: readonly ChatTool[];
  /** The schema of the answer, which is JSON. */
  readonly format?: { readonly name: string; readonly schema: JsonObject };
}

const STREAMED = { stream: true, stream_options: { include_usage: true } } as const;

/** The body of a request, without parameters that are not given or that the provider has refused. */
export function modelBody(
  { model, corrected = {} }: Pick<ModelRoute, 'model' | 'corrected'>,
  { messages, tools = [], format }: Question,
  parameters: ModelParameters = {},
): LlmCallInput['body'] {
  const { toolChoice, parallelToolCalls } = parameters;
  const members = {
    ...given(samplingMembers(parameters)),
    ...(tools.length > 0 &&
      given({ tools: [...tools], tool_choice: toolChoice, parallel_tool_calls: parallelToolCalls })),
    ...(format && { response_format: { type: 'json_schema', json_schema: { ...format } } }),
    ...(parameters.stream === true && corrected['stream'] !== null && STREAMED),
    ...parameters.extraBody,
  };
  return { model, messages: [...messages], ...correctedMembers(members, corrected) };
}

/** Parts that replace those of a recorded body. */
interface Changes {
  readonly messages?: readonly Json[];
  readonly modelParameters?: ModelParameters;
}

/** Members that make no sense without tools. */
const OF_TOOLS = ['tools', 'tool_choice', 'parallel_tool_calls'];

/** A recorded body in the form for this model. Other parameters replace all that were sent; a model that takes no tools is offered none. */
export function bodyAgain(
  route: Pick<ModelRoute, 'model' | 'flags' | 'corrected'>,
  recorded: LlmCallInput['body'],
  { messages = recorded.messages, modelParameters }: Changes,
): LlmCallInput['body'] {
  const { model: _, messages: __, ...others } = recorded;
  const isKept = (name: string) => takesTools(route) || !OF_TOOLS.includes(name);
  const members = Object.fromEntries(Object.entries(others).filter(([name]) => isKept(name)));
  if (!modelParameters)
    return {
      model: route.model,
      messages: [...messages],
      ...correctedMembers(members, route.corrected ?? {}),
    };
  const { tools, response_format: format } = members as RecordedMembers;
  const question = { messages, ...(tools && { tools }), ...(format && { format: format.json_schema }) };
  return modelBody(route, question, modelParameters);
}

/** Members that only the engine sends. */
interface RecordedMembers {
  readonly tools?: readonly ChatTool[];
  readonly response_format?: { readonly json_schema: NonNullable<Question['format']> };
}

function correctedMembers(members: JsonObject, corrected: NonNullable<ModelRoute['corrected']>): JsonObject {
  const kept = Object.entries(members).flatMap(([name, value]) => {
    const correction = ownMember(corrected, name);
    return correction === null ? [] : [[correction ?? name, value] as const];
  });
  return Object.fromEntries(kept);
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

function given(members: Members): JsonObject {
  const known = Object.entries(members).filter(([, value]) => value !== undefined && value !== null);
  return Object.fromEntries(known);
}
