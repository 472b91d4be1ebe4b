import { functionCalled } from '#lib/call-rules';
import { escapePointerToken, isJsonObject, type Json, type JsonObject } from '#lib/kernel';
import { attempts, type StepFailed, type Steps } from '#lib/workflow';
import type { CodeState } from './code.state.js';

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

/** The members that an answer may have. */
const ANSWERS: { readonly [hook in Exclude<keyof CodeHooks, 'onTrace'>]: readonly string[] } = {
  onBeforeExecution: ['code', 'think'],
  onBeforeTool: ['input', 'think'],
  onAfterTool: ['output', 'think'],
  onExit: [],
  onIterationEnd: ['abort'],
};
const OF_THOUGHTS = ['reason', 'context'];

export type HookAnswer = { readonly object: JsonObject } | { readonly refused: string };

/**
 * Calls a hook. A call that was in flight when its process ended is made again: hooks must be safe to repeat.
 * @param id from the place in the history
 */
export function* hooked(id: string, { fn }: Hook, input: JsonObject): Steps<HookAnswer> {
  const made = yield* attempts<Json, StepFailed>({
    call: (attempt) => functionCalled(`${id}#${attempt}`, { fnName: fn, input, purpose: 'hook', attempt }),
    unsafe: 'again',
  });
  if ('failed' in made) return { refused: made.failed.message };
  if (isJsonObject(made.value)) return { object: made.value };
  return made.value === null ? { object: {} } : { refused: 'The hook answered no object.' };
}

/** As `hooked`; members of the answer that no such hook has are named in a trace of the iteration, and the rest applies. */
export function* heeded(
  state: CodeState,
  name: keyof typeof ANSWERS,
  id: string,
  input: JsonObject,
): Steps<HookAnswer | undefined> {
  const hook = state.input.hooks?.[name];
  if (!hook) return undefined;
  const answer = yield* hooked(id, hook, input);
  const ignored = state.version > 1 && 'object' in answer ? ignoredIn(name, answer.object) : [];
  if (ignored.length > 0)
    state.iterations
      .at(-1)
      ?.traces.push({ type: 'hook_ignored', hook: name, members: ignored.slice(0, MOST_NAMED) });
  return answer;
}

const MOST_NAMED = 20;

function ignoredIn(name: keyof typeof ANSWERS, answer: JsonObject): string[] {
  const { think } = answer;
  const known = ANSWERS[name];
  return [
    ...othersThan(known, answer, ''),
    ...(known.includes('think') && isJsonObject(think) ? othersThan(OF_THOUGHTS, think, '/think') : []),
  ];
}

function othersThan(known: readonly string[], members: JsonObject, path: string): readonly string[] {
  const others = Object.keys(members).filter((name) => !known.includes(name));
  return others.map((name) => `${path}/${escapePointerToken(name)}`);
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
