import type { ActivityFailure } from '#lib/workflow';
import { messageOf } from '../message-of.js';
import { IncompleteReply, TooSilent } from './http-exchange.js';
import { AddressRefused } from './public-lookup.js';
import { TokenNameRefused } from '../webhooks/webhook-tokens.js';
import { UnusableReply } from './decode-content.js';

/** The failure of a call, without its duration. */
export type CallFailure = Pick<ActivityFailure, 'kind' | 'message' | 'retryable'>;

export const INTERRUPTED: CallFailure = {
  kind: 'interrupted',
  message: 'The call was given up before its reply had come.',
  retryable: true,
};

/** The failure of an exchange that threw and was not interrupted. */
export function callFailure(error: unknown, timedOut: boolean, timeoutMs: number): CallFailure {
  if (timedOut)
    return { kind: 'timeout', message: `No whole reply came within ${timeoutMs} ms.`, retryable: true };
  if (error instanceof TooSilent) return { kind: 'timeout', message: error.message, retryable: true };
  if (error instanceof IncompleteReply) return callFailure(error.cause, timedOut, timeoutMs);
  if (error instanceof UnusableReply) return { kind: 'unusable', message: error.message, retryable: false };
  const retryable = !(error instanceof AddressRefused || error instanceof TokenNameRefused);
  return { kind: 'network', message: messageOf(error), retryable };
}
