import { functionAnswer, type FunctionAnswer, MOST_INTERRUPTIONS } from '#lib/call-rules';
import { isJsonObject, type Json, type JsonObject } from '#lib/kernel';
import type { Seen, Step } from '#lib/workflow';

/** A registered function, by name. */
export interface Hook {
  readonly fn: string;
}

/** Functions that are called at fixed points of the loop, each with the JSON in its line. */
export interface CodeHooks {
  /** The traces of a slice or of a call: `{ iteration, traces }`. Nothing waits for it, and what it answers is not read. */
  readonly onTrace?: Hook;
  /** `{ iteration, code }`: may answer `{ code }` or `{ think }`. A failure is one of the code. */
  readonly onBeforeExecution?: Hook;
  /** `{ iteration, callId, tool, input }`: may answer `{ input }` or `{ think }`. A failure is one of the call. */
  readonly onBeforeTool?: Hook;
  /** `{ iteration, callId, tool, input, output }`: may answer `{ output }` or `{ think }`. A failure is one of the call. */
  readonly onAfterTool?: Hook;
  /** `{ iteration, exit, value }`. A failure refuses the exit. */
  readonly onExit?: Hook;
  /** `{ iteration, status }`: may answer `{ abort }`, the reason why the run ends. */
  readonly onIterationEnd?: Hook;
}

/** A call of a hook, until there is an answer. */
export interface HookCall extends Hook {
  /** From the place in the history. */
  readonly id: string;
  readonly input: JsonObject;
  readonly attempt: number;
  readonly answer?: { readonly object: JsonObject } | { readonly refused: string };
}

export function beginHook(id: string, { fn }: Hook, input: JsonObject): HookCall {
  return { id, fn, input, attempt: 1 };
}

/** Total. A call that was in flight when its process ended is made again: hooks must be safe to repeat. */
export function evolveHook(hook: HookCall, event: Seen): HookCall {
  const outcome = functionAnswer(hookStep(hook), event);
  if (!outcome || hook.answer) return hook;
  const isLost = 'failure' in outcome && outcome.failure.kind === 'interrupted';
  if (isLost && hook.attempt < MOST_INTERRUPTIONS) return { ...hook, attempt: hook.attempt + 1 };
  return { ...hook, answer: read(outcome) };
}

export function hookSteps(hook: HookCall): readonly Step[] {
  const { fn, input, attempt } = hook;
  const call = { fnName: fn, input, purpose: 'hook', attempt };
  return hook.answer ? [] : [{ do: 'call', id: hookStep(hook), activity: 'function', input: call }];
}

/** The reason and context that the model reads before it goes on: the answer of a hook, `{ think: { reason, context } }`. */
export function thoughtIn({ think }: JsonObject, version: number): Thought | undefined {
  if (!isJsonObject(think)) return undefined;
  const { reason, context = {} } = think;
  const why = typeof reason === 'string' ? reason : 'A hook asked to think.';
  // Version 1 shows objects alone.
  return { reason: why, variables: version > 1 || isJsonObject(context) ? context : {} };
}

export interface Thought {
  readonly reason: string;
  readonly variables: Json;
}

function read(outcome: FunctionAnswer): NonNullable<HookCall['answer']> {
  if ('failure' in outcome) return { refused: outcome.failure.message };
  if (isJsonObject(outcome.result)) return { object: outcome.result };
  return outcome.result === null ? { object: {} } : { refused: 'The hook answered no object.' };
}

function hookStep({ id, attempt }: HookCall): string {
  return `${id}#${attempt}`;
}
