import { parseReplyObject } from '#lib/calls';
import type { JsonObject } from '#lib/kernel';
import type { ModelAnswer } from './script.rules.js';

const FENCE = /```(?:json)?\s*([\s\S]*?)```/;

/** The JSON object of a reply, in a fence or without one; `undefined` where it has none. */
export function readObject(answer: ModelAnswer): JsonObject | undefined {
  if ('failure' in answer) return undefined;
  const text = answer.content.trim();
  return parseReplyObject(text) ?? parseReplyObject(FENCE.exec(text)?.[1] ?? '');
}

/** The message of a reply: its member `message`, or a text that is no JSON. */
export function readMessage(answer: ModelAnswer): string | undefined {
  if ('failure' in answer) return undefined;
  const message = readObject(answer)?.['message'];
  if (typeof message === 'string') return message;
  const text = answer.content.trim();
  return text === '' || text.startsWith('{') ? undefined : text;
}
