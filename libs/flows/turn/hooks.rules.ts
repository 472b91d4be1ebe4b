import { isJsonObject, type Json, type JsonObject, jsonText } from '#lib/kernel';
import { callAt } from '#lib/runs/tools/core';
import type { Hook, Observer } from '../agent/hook-definition.js';
import type { Emitted } from './directive.rules.js';
import { readDirective } from './read-directive.rules.js';
import { ownFailure } from './tool-answer.rules.js';
import type { Steps } from '#lib/workflow';
import type { FunctionAnswer } from './asks.js';
import { toolConversation } from './tool-conversation.rules.js';
import { type TurnDraft, TurnFailed } from './turn-draft.rules.js';

/** A hook, and its name in the record: `prepare of greet`. */
interface HookAt<H extends Hook = Hook> {
  readonly hook: H;
  readonly source: string;
}

/** The present hooks among these. */
export function hooksAt<H extends Hook>(
  ...all: readonly (readonly [hook: H | undefined, source: string])[]
): readonly HookAt<H>[] {
  return all.flatMap(([hook, source]) => (hook === undefined ? [] : [{ hook, source }]));
}

/** The directives of hooks before the model, in order.  @throws TurnFailed if a hook fails */
export function* directivesBefore(turn: TurnDraft, hooks: readonly HookAt[]): Steps<readonly Emitted[]> {
  const emitted: Emitted[] = [];
  for (const one of hooks) {
    const read = yield* directiveOf(turn, one);
    if ('refused' in read) throw new TurnFailed({ kind: 'tool', message: `${one.source}: ${read.refused}` });
    emitted.push(read);
  }
  return emitted;
}

/** The directives of hooks after the model, in order. A failed hook is recorded, and the turn continues. */
export function* directivesAfter(turn: TurnDraft, hooks: readonly HookAt[]): Steps<readonly Emitted[]> {
  const emitted: Emitted[] = [];
  for (const one of hooks) {
    const read = yield* directiveOf(turn, one);
    if ('refused' in read) turn.refuse(one.source, read.refused);
    else emitted.push(read);
  }
  return emitted.filter(({ directive }) => Object.keys(directive).length > 0);
}

/** Calls hooks without using their results. A failed hook is recorded. */
export function* tell(turn: TurnDraft, hooks: readonly HookAt<Observer>[], more: JsonObject): Steps<void> {
  for (const { hook, source } of hooks) {
    const answer = yield* askHook(turn, hook, more);
    if ('failure' in answer) turn.refuse(source, answer.failure.message);
  }
}

/** The object that a hook returns; `undefined` for null. Any other result counts as a failure. */
export function* objectOf(
  turn: TurnDraft,
  hook: Observer,
  more: JsonObject,
): Steps<{ readonly object: JsonObject | undefined } | { readonly refused: string }> {
  const answer = yield* askHook(turn, hook, more);
  if ('failure' in answer) return { refused: answer.failure.message };
  if (isJsonObject(answer.result)) return { object: answer.result };
  return answer.result === null ? { object: undefined } : { refused: 'it answered no object' };
}

/** Calls a function or a tool with the data, the context, the session and the history of the conversation, and `more`. */
export function* askHook(turn: TurnDraft, hook: Observer, more: JsonObject = {}): Steps<FunctionAnswer> {
  const input = { ...turn.view, ...more } as object as Json;
  if (typeof hook === 'object')
    return yield* turn.asks.function({ id: turn.id('function'), fnName: hook.fn, input });
  const at = callAt(turn.given, turn.id('tool'));
  const { callId } = at;
  const tool = turn.given.tools.find(({ toolId }) => toolId === hook);
  const known = { ...(tool && { tool }), ...toolConversation(turn) };
  const asked = { ...at, toolId: hook, argumentsText: jsonText(input), ...known };
  const answer = yield* turn.asks.tool(asked);
  const result = turn.version > 1 ? ownFailure(answer.result) : answer.result;
  turn.toolCalls.push({ callId, toolId: hook, status: result.success ? 'completed' : 'failed' });
  if (result.success) return { result: result.data ?? null };
  return { failure: { kind: 'tool', message: result.message } };
}

function* directiveOf(
  turn: TurnDraft,
  { hook, source }: HookAt,
): Steps<Emitted | { readonly refused: string }> {
  if (typeof hook === 'object' && !('fn' in hook)) return { source, directive: hook };
  const answer = yield* askHook(turn, hook);
  const read =
    'failure' in answer ? { refused: answer.failure.message } : readDirective(turn, source, answer.result);
  return 'refused' in read ? read : { source, directive: read.directive };
}
