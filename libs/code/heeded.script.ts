import { escapePointerToken, isJsonObject, type JsonObject } from '#lib/kernel';
import type { Steps } from '#lib/workflow';
import type { CodeState } from './code.state.js';
import { type CodeHooks, type HookAnswer, hooked } from './hook.script.js';

/** The members that an answer may have. */
const ANSWERS: { readonly [hook in Exclude<keyof CodeHooks, 'onTrace'>]: readonly string[] } = {
  onBeforeExecution: ['code', 'think'],
  onBeforeTool: ['input', 'think'],
  onAfterTool: ['output', 'think'],
  onExit: [],
  onIterationEnd: ['abort'],
};
const OF_THOUGHTS = ['reason', 'context'];

const MOST_NAMED = 20;

/** `hooked`, and names unknown members of the answer in a trace of the iteration; the other members apply. */
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
