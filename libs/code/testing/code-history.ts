import { type Activity, ActivityRegistry, type Outcome } from '#lib/workflow';
import { Sandbox, sandboxActivity } from '#lib/activities';
import {
  functionCallRules,
  llmCallRules,
  recordedCalls,
  type SandboxMemory,
  type SandboxResult,
  sandboxRules,
  type ToolRequest,
  toolCallRules,
  wholeSlice,
} from '#lib/call-rules';
import {
  firstDifference,
  type Json,
  type JsonObject,
  jsonText,
  type RecordedEvent,
  sha256,
} from '#lib/kernel';
import { sampleRoute } from '#lib/call-rules/testing';
import type { ToolFact } from '#lib/runs/tools/core';
import { tool } from '#lib/runs/tools/testing';
import { recomputeRun, scriptOf, type ScriptState, type Verification, verifyRun } from '#lib/workflow';
import { RunHistory } from '#lib/workflow/testing';
import type { CodeInput } from '../code.input.js';
import type { Coding } from '../code.script.js';
import type { CodeState } from '../code.state.js';
import { code } from '../code.workflow.js';

export { tool };

/** The sandbox of all specs of a process. Its threads end after they have been idle for a while. */
export const sandbox = new Sandbox();
const slices = sandboxActivity(sandbox);
/** Does not perform calls: the results of tools are those of the record. */
const tools: Activity = {
  ...(toolCallRules as Activity),
  perform: () => Promise.reject(new Error('No tool.')),
};
const activities = new ActivityRegistry([slices as Activity, tools]);

/** An exit that takes any value. */
const done = { name: 'done', description: 'The work is done' };

/**
 * A run of code with these tools and the exit `done`, before its first reply.
 * @param version of the rules; default: the newest
 */
export function given(
  changes: Partial<CodeInput> = {},
  tools: readonly ToolFact[] = [tool('find')],
  models: readonly string[] = ['m'],
  version?: number,
): RunHistory {
  const named = tools.map(({ toolId }) => toolId);
  const input = { instructions: 'Help.', model: 'm', tools: named, exits: [done], ...changes };
  const routes = models.map((name) => sampleRoute(name, { maxAttempts: 1 }));
  const model = { routes, seed: 'run' };
  return RunHistory.of(code, {
    input: input as object as JsonObject,
    facts: { model: model as object as JsonObject, tools: tools as object as Json },
    activities: [llmCallRules, toolCallRules, sandboxRules, functionCallRules],
    ...(version && { version }),
  });
}

const usage = { prompt_tokens: 10, completion_tokens: 5 };

/** Answers the open call of the model with this code. */
export function replies(history: RunHistory, program: string): RunHistory {
  return history.answer(openCalls(history, 'llm')[0] ?? '', replyOf(fenced(program)));
}

/** The reply of a model with this text. */
export function replyOf(content: string): Outcome {
  const text = jsonText({ choices: [{ index: 0, message: { role: 'assistant', content } }], usage });
  const body = { encoding: 'utf8', content: text, sha256: sha256(text) };
  return { completed: { status: 200, requestHeaders: {}, responseHeaders: {}, body, durationMs: 1 } };
}

export function fenced(code: string): string {
  return `\`\`\`tsx\n${code}\n\`\`\``;
}

export type Answer = (given: JsonObject, call: ToolRequest) => Outcome;

/** The answers of hooks, by function name. A hook that throws fails. */
export type Hooks = { readonly [fnName: string]: (input: JsonObject) => Json };

/**
 * Runs slices, hooks and tools until the run waits for a model or a person.
 * @throws Error if a slice gives another result when it is computed again
 */
export async function plays(
  history: RunHistory,
  answer: Answer = ({ order }) => toolOk(order ?? null),
  hooks: Hooks = {},
): Promise<RunHistory> {
  while (await advances(history, ['function', 'sandbox', 'tool'], answer, hooks));
  return history;
}

/** Answers the first open call of these activities, in their order. @returns whether there was one */
export async function advances(
  history: RunHistory,
  activities: readonly string[],
  answer: Answer = ({ order }) => toolOk(order ?? null),
  hooks: Hooks = {},
): Promise<boolean> {
  const [stepId] = activities.flatMap((activity) => openCalls(history, activity));
  if (stepId === undefined) return false;
  const { type, data } = requestOf(history, stepId);
  const request = data as JsonObject;
  if (type === 'FunctionCallRequested') history.answer(stepId, hookOutcome(request, hooks));
  else if (type === 'SandboxRequested')
    history.answer(stepId, await sliceOutcome(request, memoryOf(history)));
  else {
    const call = request as JsonObject & ToolRequest;
    history.answer(stepId, answer(call.arguments, call));
  }
  return true;
}

async function sliceOutcome(request: JsonObject, memory: SandboxMemory): Promise<Outcome> {
  const completed = { ...(await sandbox.run(wholeSlice(request, memory))), durationMs: 1 };
  const recorded = { stepId: request['stepId'] as string, ...completed };
  const again = await slices.recompute?.(request, recorded, memory, AbortSignal.timeout(60_000));
  const difference = firstDifference(recorded, again ?? null, '');
  if (difference) throw new Error(`The slice does not replay: ${jsonText(difference)}`);
  return { completed };
}

/** The history derived again, with each of its slices computed again. */
export async function replayed(events: readonly RecordedEvent[]): Promise<Verification> {
  return recomputeRun(verifyRun(code, recordedCalls, events), activities, events);
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

/** The state after a reply with this code, whose first slice gave this result. */
export function stateAfter(code: string, result: SandboxResult, tools?: readonly ToolFact[]): CodeState {
  const history = replies(given({}, tools), code);
  const slice = openCalls(history, 'sandbox')[0] ?? '';
  return stateOf(history.answer(slice, { completed: { ...result, durationMs: 1 } }));
}

export function stateOf({ run }: RunHistory): CodeState {
  return scriptOf(run.state as ScriptState<Coding>).state;
}

function requestOf({ events }: RunHistory, stepId: string): RecordedEvent {
  const isRequest = ({ type, data }: RecordedEvent) =>
    type.endsWith('Requested') && (data as JsonObject)['stepId'] === stepId;
  return events.find(isRequest) as RecordedEvent;
}

function memoryOf({ events }: RunHistory): SandboxMemory {
  const { memory } = sandboxRules;
  if (!memory) throw new Error('The sandbox has a memory.');
  const begun = memory.begin({ input: null, facts: null, context: null });
  return events.slice(1).reduce((known, event) => memory.evolve?.(known, event as never) ?? known, begun);
}
