import { functionCalled } from '#lib/call-rules';
import { isJsonObject, type Json, type JsonObject } from '#lib/kernel';
import { attempts, type StepFailed, type Steps } from '#lib/workflow';

/** A registered function, by name. */
export interface Hook {
  readonly fn: string;
}

/** Functions that are called at fixed points of the loop. Each gets the JSON that its comment shows. */
export interface CodeHooks {
  /** The traces of a slice or of a call: `{ iteration, traces }`. No code waits for it, and its answer is not read. */
  readonly onTrace?: Hook;
  /** `{ iteration, code }`. It may answer `{ code }` or `{ think }`. Its failure counts as one of the code. */
  readonly onBeforeExecution?: Hook;
  /** `{ iteration, callId, tool, input }`. It may answer `{ input }` or `{ think }`. Its failure counts as one of the call. */
  readonly onBeforeTool?: Hook;
  /** `{ iteration, callId, tool, input, output }`. It may answer `{ output }` or `{ think }`. Its failure counts as one of the call. */
  readonly onAfterTool?: Hook;
  /** `{ iteration, exit, value }`. Its failure refuses the exit. */
  readonly onExit?: Hook;
  /** `{ iteration, status }`. It may answer `{ abort }`, the reason why the run ends. */
  readonly onIterationEnd?: Hook;
}

export type HookAnswer = { readonly object: JsonObject } | { readonly refused: string };

/**
 * Calls a hook. A call that was open when its process ended is made again, so hooks must be safe to repeat.
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

/** The reason and context that the model reads before it continues, from the answer of a hook: `{ think: { reason, context } }`. */
export function thoughtIn({ think }: JsonObject, version: number): Thought | undefined {
  if (!isJsonObject(think)) return undefined;
  const { reason, context = {} } = think;
  const why = typeof reason === 'string' ? reason : 'A hook asked to think.';
  // Version 1 shows only objects.
  return { reason: why, variables: version > 1 || isJsonObject(context) ? context : {} };
}

export interface Thought {
  readonly reason: string;
  readonly variables: Json;
}
