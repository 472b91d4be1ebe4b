import type { Outcome } from '#lib/activity';
import type { Sandbox } from '#lib/activities';
import {
  functionCallRules,
  llmCallRules,
  type SandboxMemory,
  type SandboxResult,
  sandboxRules,
  type ToolRequest,
  toolCallRules,
  wholeSlice,
} from '#lib/calls';
import { type Json, type JsonObject, jsonText, sha256 } from '#lib/kernel';
import { sampleRoute } from '#lib/models/testing';
import type { ToolFact, ToolPolicy } from '#lib/tools/core';
import { RunHistory } from '#lib/workflow/testing';
import type { CodeInput } from '../code.input.js';
import type { CodeState } from '../code.state.js';
import { code } from '../code.workflow.js';

export function tool(toolId: string, policy: ToolPolicy = {}, result?: JsonObject): ToolFact {
  return {
    toolId,
    version: 1,
    description: `Does ${toolId}`,
    parameters: { type: 'object', properties: { order: { type: 'integer' } }, required: ['order'] },
    execution: { fnName: toolId },
    policy,
    ...(result && { result }),
  };
}

/** A run of code with these tools, before its first reply. */
export function given(
  changes: Partial<CodeInput> = {},
  tools: readonly ToolFact[] = [tool('find')],
  models: readonly string[] = ['m'],
): RunHistory {
  const input = { instructions: 'Help.', model: 'm', tools: tools.map(({ toolId }) => toolId), ...changes };
  const routes = models.map((name) => sampleRoute(name, { maxAttempts: 1 }));
  const model = { routes, seed: 'run' };
  return RunHistory.of(code, {
    input: input as object as JsonObject,
    facts: { model: model as object as JsonObject, tools: tools as object as Json },
    activities: [llmCallRules, toolCallRules, sandboxRules, functionCallRules],
  });
}

const usage = { prompt_tokens: 10, completion_tokens: 5 };

/** The model answers with this code, or with what this text is. */
export function replies(history: RunHistory, content: string, isWhole = false): RunHistory {
  const open = openCalls(history, 'llm')[0] ?? '';
  return history.answer(open, replyOf(isWhole ? content : fenced(content)));
}

/** The model answers with this text. */
export function replyOf(content: string): Outcome {
  const text = jsonText({ choices: [{ index: 0, message: { role: 'assistant', content } }], usage });
  const body = { encoding: 'utf8', content: text, sha256: sha256(text) };
  return { completed: { status: 200, requestHeaders: {}, responseHeaders: {}, body, durationMs: 1 } };
}

export function fenced(code: string): string {
  return `\`\`\`tsx\n${code}\n\`\`\``;
}

export type Answer = (given: JsonObject, call: ToolRequest) => Outcome;

/** Answers hooks by name, or throws what they throw. */
export type Hooks = { readonly [fnName: string]: (input: JsonObject) => Json };

/** Runs slices, hooks and tools until the run waits for a model or a person. */
export async function plays(
  history: RunHistory,
  sandbox: Sandbox,
  answer: Answer = ({ order }) => toolOk(order ?? null),
  hooks: Hooks = {},
): Promise<RunHistory> {
  for (;;) {
    const [hook] = openCalls(history, 'function');
    if (hook !== undefined) {
      history.answer(hook, hookOutcome(requestOf(history, hook), hooks));
      continue;
    }
    const [slice] = openCalls(history, 'sandbox');
    if (slice !== undefined) {
      const request = requestOf(history, slice);
      const result = await sandbox.run(wholeSlice(request, memoryOf(history)));
      history.answer(slice, { completed: { ...result, durationMs: 1 } });
      continue;
    }
    const [call] = openCalls(history, 'tool');
    if (call === undefined) return history;
    const request = requestOf(history, call) as JsonObject & ToolRequest;
    history.answer(call, answer(request.arguments, request));
  }
}

function hookOutcome({ fnName, input }: JsonObject, hooks: Hooks): Outcome {
  try {
    return { completed: { result: hooks[fnName as string]?.(input as JsonObject) ?? null, durationMs: 1 } };
  } catch (error) {
    const message = error instanceof Error ? error.message : '';
    return { failed: { failure: { kind: 'function', message, retryable: false, durationMs: 1 } } };
  }
}

export function toolOk(data: Json): Outcome {
  return { completed: { result: { success: true, message: 'ok', data }, durationMs: 1 } };
}

export function openCalls({ open }: RunHistory, activity: string): readonly string[] {
  return [...open].flatMap(([id, step]) => (step.kind === 'call' && step.activity === activity ? [id] : []));
}

/** After a reply with this code, whose first slice gave this result. */
export function stateAfter(code: string, result: SandboxResult, tools?: readonly ToolFact[]): CodeState {
  const history = replies(given({}, tools), code);
  const slice = openCalls(history, 'sandbox')[0] ?? '';
  return stateOf(history.answer(slice, { completed: { ...result, durationMs: 1 } }));
}

export function stateOf({ run }: RunHistory): CodeState {
  return run.state as CodeState;
}

function requestOf({ events }: RunHistory, stepId: string): JsonObject {
  const found = events.find(
    ({ type, data }) => type.endsWith('Requested') && (data as JsonObject)['stepId'] === stepId,
  );
  return found?.data as JsonObject;
}

function memoryOf({ events }: RunHistory): SandboxMemory {
  const { memory } = sandboxRules;
  if (!memory) throw new Error('The sandbox has a memory.');
  const begun = memory.begin({ input: null, facts: null, context: null });
  return events.slice(1).reduce((known, event) => memory.evolve?.(known, event as never) ?? known, begun);
}
