import { parseReplyObject } from '#lib/call-rules';
import type { JsonObject } from '#lib/kernel';
import type { ModelAnswer } from './asks.js';

const FENCE = '```';

/** Objects by answer: a script reads all its answers again after each new one. */
const objects = new WeakMap<ModelAnswer, JsonObject | undefined>();

/** The JSON object in a reply, with or without a fence; `undefined` if it has none. */
export function readObject(answer: ModelAnswer): JsonObject | undefined {
  if ('failure' in answer) return undefined;
  if (!objects.has(answer)) {
    const text = answer.content.trim();
    objects.set(answer, parseReplyObject(text) ?? parseReplyObject(fenced(text)));
  }
  return objects.get(answer);
}

/** The text in the first fence, in linear time. */
function fenced(text: string): string {
  const [, inside = '', ...after] = text.split(FENCE, 3);
  return after.length > 0 ? inside.replace(/^json/, '').trim() : '';
}

/** The message of a reply: its member `message`, or its text if that is not JSON. */
export function readMessage(answer: ModelAnswer): string | undefined {
  if ('failure' in answer) return undefined;
  const message = readObject(answer)?.['message'];
  if (typeof message === 'string') return message;
  const text = answer.content.trim();
  return text === '' || text.startsWith('{') ? undefined : text;
}
