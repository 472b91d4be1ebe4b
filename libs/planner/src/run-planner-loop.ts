import { type LlmCallInput, type ToolRequest, type ToolResult } from '#lib/calls';
import { type Json, type JsonObject, jsonText, sha256 } from '#lib/kernel';
import type { ToolFact } from '#lib/tools/core';
import type { Seen, Step } from '#lib/workflow';
import type { InlineExit, PlannerInput } from './planner.input.js';
import {
  beginPlanner,
  evolvePlanner,
  nextOfPlanner,
  type PlannerState,
  wholeResult,
} from './planner.rules.js';

/** Calls a model: an OpenAI-compatible completion for the body of a request. What it throws ends the loop with `llm-error`. */
export interface LlmClient {
  complete(body: LlmCallInput['body']): Promise<JsonObject>;
}

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

/** What a planner loop runs with. */
export interface PlannerLoop {
  readonly llm: LlmClient;
  readonly input: LoopInput;
  /** An error it throws becomes a failure in the model's context. */
  readonly onToolCall: (call: LoopCall) => Promise<ToolResult>;
}

type Call = Extract<Step, { do: 'call' }>;

/**
 * The loop of the workflow `planner` without a log: the same rules, in memory, with a model and tools of the caller.
 * @returns the result of the workflow with the transcript, for every end of the loop
 */
export async function runPlannerLoop(loop: PlannerLoop): Promise<JsonObject> {
  let state = beginPlanner(startOf(loop.input));
  const open = new Map<string, Promise<Seen>>();
  for (;;) {
    const steps = nextOfPlanner(state);
    const recorded = steps.find((step) => step.do === 'record');
    if (recorded) {
      state = evolvePlanner(state, seen(recorded.event.type, recorded.event.data));
      continue;
    }
    const end = steps.find((step) => step.do === 'end' || step.do === 'fail');
    if (end) return wholeResult(state, end.result ?? {}) as JsonObject;
    for (const step of steps)
      if (step.do === 'call' && !open.has(step.id)) open.set(step.id, perform(loop, step));
    state = await afterNext(state, open);
  }
}

async function afterNext(state: PlannerState, open: Map<string, Promise<Seen>>): Promise<PlannerState> {
  const event = await Promise.race(open.values());
  open.delete((event.data as { stepId: string }).stepId);
  return evolvePlanner(state, event);
}

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
  const { model: modelId } = input;
  const route = { modelId, model: modelId, flags: {}, provider: '', url: '', timeoutMs: 0, maxAttempts: 1 };
  const model = { routes: [route], seed: '' };
  const data = {
    workflow: 'planner',
    version: 1,
    input: { ...input, tools: tools.map(({ toolId }) => toolId) } as object as Json,
    facts: { model, tools: facts as object as Json },
  };
  return { type: 'WorkflowStarted', data, occurredAt: '' };
}

async function perform(
  { llm, onToolCall }: PlannerLoop,
  { id: stepId, activity, input }: Call,
): Promise<Seen> {
  try {
    if (activity === 'llm') {
      const content = jsonText(await llm.complete((input as object as LlmCallInput).body));
      const body = { encoding: 'utf8', content, sha256: sha256(content) };
      return seen('LlmCallCompleted', { stepId, status: 200, responseHeaders: {}, body });
    }
    const { callId, toolId, arguments: given } = input as object as ToolRequest;
    const result = await onToolCall({ callId, toolId, arguments: given });
    return seen('ToolCallCompleted', { stepId, result });
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const failure = { kind: 'function', message, retryable: false, durationMs: 0 };
    return seen(activity === 'llm' ? 'LlmCallFailed' : 'ToolCallFailed', { stepId, failure });
  }
}

function seen(type: string, data: object): Seen {
  return { type, data, occurredAt: '' };
}
