import { type ActivityEvent, KeptMap } from '#lib/workflow';
import { type Event, isJsonObject, type Json, type JsonObject, jsonText, sha256 } from '#lib/kernel';
import { toolCallsOf } from '../read-reply.js';
import type { StoredReply } from '../read-webhook-text.js';
import { completionIn } from './completion.rules.js';
import { addedTexts, type LlmMemory, namedMembers, type StepTexts } from './llm-body.rules.js';
import type { LlmCallEvent, LlmCallRequested } from './llm-call.events.js';

const noTexts: StepTexts = { byStep: KeptMap.empty(), steps: KeptMap.empty() };

/** The memory of bodies before the first call. */
export const emptyLlmMemory: LlmMemory = {
  lists: new Map(),
  open: new Set(),
  replies: noTexts,
  results: noTexts,
  named: KeptMap.empty(),
};

/** The most finished requests whose messages later requests may extend. */
const MOST_LISTS = 16;
/** A reference is not shorter than a shorter value. */
const SHORTEST_NAMED = 90;

/** Total: takes every event of a run. The events that end a run have a result and no step. */
export function evolveLlmMemory(memory: LlmMemory, event: ActivityEvent): LlmMemory {
  const call = event as Event as LlmCallEvent;
  switch (call.type) {
    case 'LlmCallRequested':
      return requested(memory, call.data);
    case 'LlmCallCompleted':
      return replied(closed(memory, call.data.stepId), call.data);
    case 'LlmCallFailed':
      return closed(memory, call.data.stepId);
    default:
      return resulted(memory, event);
  }
}

function requested(memory: LlmMemory, { stepId, body }: LlmCallRequested['data']): LlmMemory {
  const { before, added } = addedTexts(body.messages, memory);
  const open = new Set(memory.open).add(stepId);
  const lists = bounded(new Map(memory.lists).set(stepId, [...before, ...added]), open);
  const nameable = [...namedMembers(body, memory), ...added.filter(isSystemMessage)];
  return { ...memory, open, lists, named: withNamed(memory.named, nameable) };
}

/** Drops the oldest lists. An open request keeps its list, because it is still to be sent. */
function bounded(lists: LlmMemory['lists'], open: LlmMemory['open']): LlmMemory['lists'] {
  const surplus = [...lists.keys()].filter((stepId) => !open.has(stepId)).slice(0, -MOST_LISTS);
  const kept = new Map(lists);
  for (const stepId of surplus) kept.delete(stepId);
  return kept;
}

function withNamed(named: LlmMemory['named'], texts: readonly string[]): LlmMemory['named'] {
  const long = texts.filter(({ length }) => length >= SHORTEST_NAMED);
  return long.reduce((known, text) => known.with(sha256(text), text), named);
}

function isSystemMessage(text: string): boolean {
  const value = JSON.parse(text) as Json;
  return isJsonObject(value) && (value['role'] === 'system' || value['role'] === 'developer');
}

function replied(memory: LlmMemory, data: LlmCallData): LlmMemory {
  const message = assistantMessage(data);
  if (!message) return memory;
  return { ...memory, replies: withText(memory.replies, data.stepId, jsonText(message)) };
}

function withText({ byStep, steps }: StepTexts, stepId: string, text: string): StepTexts {
  return { byStep: byStep.with(stepId, text), steps: steps.with(sha256(text), stepId) };
}

type LlmCallData = Pick<StoredReply, 'body'> & { readonly stepId: string };

function resulted(memory: LlmMemory, { data: { stepId, result } }: ActivityEvent): LlmMemory {
  if (typeof stepId !== 'string' || result === undefined) return memory;
  return { ...memory, results: withText(memory.results, stepId, resultText(result)) };
}

function closed(memory: LlmMemory, stepId: string): LlmMemory {
  const open = new Set(memory.open);
  return open.delete(stepId) ? { ...memory, open } : memory;
}

/** The content of a tool message for a result: a text unchanged, any other value as JSON text. */
export function resultText(result: Json): string {
  return typeof result === 'string' ? result : jsonText(result);
}

/**
 * The assistant message of a reply in the form that later requests repeat: its content and tool calls as they came. A request with this form refers
 * to the reply and holds no copy. `undefined` for a reply without a message.
 */
export function assistantMessage({ body }: Pick<StoredReply, 'body'>): JsonObject | undefined {
  const choices = completionIn(body)?.['choices'];
  const [choice]: readonly Json[] = Array.isArray(choices) ? (choices as readonly Json[]) : [];
  const message = isJsonObject(choice) ? choice['message'] : undefined;
  if (!isJsonObject(message)) return undefined;
  const { content = null } = message;
  const calls = toolCallsOf(message);
  return { role: 'assistant', content, ...(calls.length > 0 && { tool_calls: [...calls] }) };
}
