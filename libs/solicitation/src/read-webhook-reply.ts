import {
  excerpt,
  parseReplyJson,
  readWebhookText,
  type StoredReply,
  unusableReply,
} from '#lib/legacy-workflow';
import type { FailedReply } from './read-reply.js';
import type { WebhookPurpose } from './solicitation.events.js';

/** What a webhook answered. */
export type WebhookReply =
  /** as it came: not checked yet */
  | { readonly kind: 'choice'; readonly result: unknown }
  | { readonly kind: 'context'; readonly text: string }
  | FailedReply;

/** Reads a stored reply of a webhook. */
export function readWebhookReply(purpose: WebhookPurpose, reply: StoredReply): WebhookReply {
  const read = readWebhookText(reply);
  if (read.kind === 'failed') return read;
  const value = parseReplyJson(read.text);
  if (purpose === 'context') return { kind: 'context', text: typeof value === 'string' ? value : read.text };
  if (value !== undefined) return { kind: 'choice', result: value };
  return unusableReply(reply, `The reply of the webhook is not JSON: ${excerpt(read.text)}`);
}
