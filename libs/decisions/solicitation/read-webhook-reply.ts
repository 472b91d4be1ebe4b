import { isJsonObject } from '#lib/kernel';
import {
  excerpt,
  parseReplyJson,
  readWebhookText,
  type RefusedReply,
  type StoredReply,
  unusableReply,
} from '#lib/call-rules';

/** A webhook's answer. */
type WebhookReply =
  /** as received: checked later */
  | { readonly kind: 'choice'; readonly result: unknown }
  | { readonly kind: 'context'; readonly text: string }
  | RefusedReply;

/** Reads a stored reply of a webhook. A context is text, a JSON string, or DIAL's `{ "context": "…" }`. */
export function readWebhookReply(
  purpose: 'strategy' | 'context',
  reply: StoredReply,
  occurredAt: string,
): WebhookReply {
  const read = readWebhookText(reply, occurredAt);
  if (read.kind === 'failed') return read;
  const value = parseReplyJson(read.text);
  if (purpose === 'context') return { kind: 'context', text: contextOf(value) ?? read.text };
  if (value !== undefined) return { kind: 'choice', result: value };
  return unusableReply(reply, `The reply of the webhook is not JSON: ${excerpt(read.text)}`);
}

function contextOf(value: unknown): string | undefined {
  const text = isJsonObject(value) ? value['context'] : value;
  return typeof text === 'string' ? text : undefined;
}
