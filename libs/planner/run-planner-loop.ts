import {
  type BudgetMax,
  type ChatTool,
  chatTool,
  type OfferedTool,
  parseReplyObject,
  recordedCalls,
  type ToolRequest,
  type ToolResult,
} from '#lib/call-rules';
import type { Json, JsonObject } from '#lib/kernel';
import type { ToolFact } from '#lib/runs/tools/core';
import {
  ALLOWANCE,
  answeredBy,
  type CallStep,
  grantedAllowance,
  type LlmClient,
  type OnceInput,
  outcomeOf,
  routeInMemory,
  runOnce,
  scriptOf,
} from '#lib/workflow';
import type { InlineExit, PlannerInput } from './planner.input.js';
import { Planning } from './planner.script.js';
import { plannerOf } from './planner.workflow.js';

/** The definition of a tool that the model receives. */
export interface LoopTool {
  readonly toolId: string;
  readonly description: string;
  /** The JSON Schema of the arguments, which are checked before the call. */
  readonly parameters: JsonObject;
  /** Calls may run at the same time as their neighbours. */
  readonly concurrencySafe?: boolean;
}

/** The input of a planner loop, with the definitions of its tools. */
export interface LoopInput extends Omit<PlannerInput, 'tools' | 'exits' | 'budget'> {
  /** As of the workflow. There is none in US dollars: no model has a price here. */
  readonly budget?: Omit<BudgetMax, 'maxUSD'>;
  /** `modelParameters` overrides it. */
  readonly temperature?: number;
  readonly tools: readonly LoopTool[];
  readonly exits?: readonly InlineExit[];
}

/** Tools in the form of `tools` in a request to a model, in their order. */
export function toolsToFunctionSchemas(tools: readonly OfferedTool[]): readonly ChatTool[] {
  return tools.map(chatTool);
}

/** A tool call that the model asks for. */
export interface LoopCall {
  readonly callId: string;
  readonly toolId: string;
  readonly arguments: JsonObject;
}

/** The options of `runPlannerLoop`. */
export interface PlannerLoop {
  readonly llm: LlmClient;
  readonly input: LoopInput;
  /** Also called for tools that the model names but that were not offered. An error that it throws becomes a failure in the model's context. */
  readonly onToolCall: (call: LoopCall) => Promise<ToolResult>;
}

/** A message of the transcript. */
export type LoopMessage =
  | { readonly role: 'system' | 'user'; readonly content: string }
  | {
      readonly role: 'assistant';
      readonly content: string | null;
      /** Absent if the message has no calls. Arguments that are not a JSON object are `{}`. */
      readonly toolCalls?: readonly {
        readonly id: string;
        readonly name: string;
        readonly arguments: JsonObject;
      }[];
    }
  | { readonly role: 'tool'; readonly toolCallId: string; readonly content: string };

/**
 * The loop of the workflow `planner` without a log: the same rules, in memory, with a model and tools of the caller. An error of the model's client
 * ends the loop with `llm-error`, and its message is that of `failure`.
 * @returns the result of the workflow with the transcript as `LoopMessage`, for every end of the loop
 * @throws TypeError for a limit that has no effect here
 */
export async function runPlannerLoop({ llm, input, onToolCall }: PlannerLoop): Promise<JsonObject> {
  checkLimits(input);
  const { state, end } = await runOnce(loop, begunWith(input), {
    activities: recordedCalls,
    perform: (call, signal) =>
      call.activity === 'llm'
        ? answeredBy(llm, call, signal)
        : outcomeOf(async () => ({ result: await onToolCall(callOf(call)) })),
  });
  const { messages, ...result } = scriptOf(state).whole(end.result ?? {}) as JsonObject;
  const failure = end.do === 'fail' && { failure: end.failure };
  return { ...result, ...failure, messages: (messages as readonly JsonObject[]).map(loopMessage) as Json };
}

/** A message of a request, in the form of the transcript. */
function loopMessage({
  role,
  content,
  tool_calls: calls,
  tool_call_id: toolCallId,
}: JsonObject): LoopMessage {
  if (role === 'tool') return { role, toolCallId, content } as LoopMessage;
  if (!Array.isArray(calls)) return { role, content } as LoopMessage;
  const toolCalls = (calls as readonly WireCall[]).map(({ id, function: { name, arguments: text } }) => {
    return { id, name, arguments: parseReplyObject(text) ?? {} };
  });
  return { role, content, toolCalls } as LoopMessage;
}

interface WireCall {
  readonly id: string;
  readonly function: { readonly name: string; readonly arguments: string };
}

const loop = plannerOf((given) => new Planning(given, unlisted));

function unlisted(toolId: string): ToolFact {
  return factOf({ toolId, description: toolId, parameters: { type: 'object' } });
}

function factOf({ toolId, description, parameters, concurrencySafe = false }: LoopTool): ToolFact {
  const execution = { fnName: toolId };
  return { toolId, version: 1, description, parameters, execution, policy: { concurrencySafe } };
}

/** NaN is a limit that is never reached. @throws TypeError */
function checkLimits({ budget = {}, maxRounds = 0, concurrency = 1 }: LoopInput): void {
  const { maxTokens = 0 } = budget;
  if ('maxUSD' in budget && budget.maxUSD !== undefined)
    throw new TypeError('No model has a price without an engine. Use `maxTokens` in place of `maxUSD`.');
  const limits = { maxRounds, maxTokens, concurrency: concurrency - 1 };
  const [wrong] = Object.entries(limits).filter(([, limit]) => !(limit >= 0));
  if (wrong) throw new TypeError(`\`${wrong[0]}\` is no limit. Write a whole number.`);
}

function begunWith({ tools, temperature, ...given }: LoopInput): OnceInput {
  const parameters = { ...(temperature !== undefined && { temperature }), ...given.modelParameters };
  const input = { ...given, ...(Object.keys(parameters).length > 0 && { modelParameters: parameters }) };
  const model = { routes: [routeInMemory(input.model)], seed: '' };
  return {
    input: { ...input, tools: tools.map(({ toolId }) => toolId) } as object as Json,
    facts: { model, tools: tools.map(factOf) as object as Json, [ALLOWANCE]: grantedAllowance() },
  };
}

function callOf({ input }: CallStep): LoopCall {
  const { callId, toolId, arguments: given } = input as object as ToolRequest;
  return { callId, toolId, arguments: given };
}
