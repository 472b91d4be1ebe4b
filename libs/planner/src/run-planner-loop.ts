import type { ToolRequest, ToolResult } from '#lib/calls';
import type { Json, JsonObject } from '#lib/kernel';
import type { ToolFact } from '#lib/tools/core';
import {
  type CallStep,
  completedBy,
  failureOf,
  type Happened,
  type LlmClient,
  newestVersion,
  routeInMemory,
  runInMemory,
} from '#lib/workflow';
import type { InlineExit, PlannerInput } from './planner.input.js';
import { beginPlanner, evolvePlanner, nextOfPlanner, wholeResult } from './planner.rules.js';
import { planner } from './planner.workflow.js';

/** The definition of a tool that the model receives. */
export interface LoopTool {
  readonly toolId: string;
  readonly description: string;
  /** JSON Schema of the arguments, which are checked before the call. */
  readonly parameters: JsonObject;
  /** It may run at the same time as its neighbours. */
  readonly concurrencySafe?: boolean;
}

/** The input of a planner loop, with the definitions of its tools. */
export interface LoopInput extends Omit<PlannerInput, 'tools' | 'exits'> {
  readonly tools: readonly LoopTool[];
  readonly exits?: readonly InlineExit[];
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
  /** An error it throws becomes a failure in the model's context. */
  readonly onToolCall: (call: LoopCall) => Promise<ToolResult>;
}

/**
 * The loop of the workflow `planner` without a log: the same rules, in memory, with a model and tools of the caller. What the model's
 * client throws ends the loop with `llm-error`.
 * @returns the result of the workflow with the transcript, for every end of the loop
 */
export async function runPlannerLoop(loop: PlannerLoop): Promise<JsonObject> {
  const { state, end } = await runInMemory(rules, beginPlanner(startOf(loop.input)), {
    requested: (activity) => (activity === 'llm' ? 'LlmCallRequested' : 'ToolCallRequested'),
    perform: (call, signal) =>
      call.activity === 'llm' ? completedBy(loop.llm, call, signal) : made(loop, call),
  });
  return wholeResult(state, end.result ?? {}) as JsonObject;
}

const rules = { evolve: evolvePlanner, next: nextOfPlanner };

function startOf({ tools, ...input }: LoopInput): Parameters<typeof beginPlanner>[0] {
  const facts = tools.map(({ toolId, description, parameters, concurrencySafe = false }): ToolFact => {
    return {
      toolId,
      version: 1,
      description,
      parameters,
      execution: { fnName: toolId },
      policy: { concurrencySafe },
    };
  });
  const model = { routes: [routeInMemory(input.model)], seed: '' };
  const data = {
    workflow: 'planner',
    version: newestVersion(planner),
    input: { ...input, tools: tools.map(({ toolId }) => toolId) } as object as Json,
    facts: { model, tools: facts as object as Json },
  };
  return { type: 'WorkflowStarted', data, occurredAt: '', runId: crypto.randomUUID() };
}

async function made({ onToolCall }: PlannerLoop, { id: stepId, input }: CallStep): Promise<Happened> {
  const { callId, toolId, arguments: given } = input as object as ToolRequest;
  try {
    const result = await onToolCall({ callId, toolId, arguments: given });
    return { type: 'ToolCallCompleted', data: { stepId, result } };
  } catch (error) {
    return { type: 'ToolCallFailed', data: { stepId, failure: failureOf(error) } };
  }
}
