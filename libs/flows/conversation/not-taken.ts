import { reject } from '#lib/kernel';
import { RejectionError } from '#lib/operations/core';
import type { TurnFailure } from '../turn/turn-result.js';
import { turnCancelled, TurnNotTaken } from './conversation.rejections.js';

/** Failures that the agent's definition causes; all others come from what the turn called. */
const OF_THE_AGENT = ['directive-chain', 'max-auto-steps', 'requires'];

/** The error for a turn that failed. @param position of the event that ended it */
export function notTaken(turnId: string, failure: TurnFailure, position: string | undefined): Error {
  const { kind, message } = failure;
  if (kind === 'cancelled') return new RejectionError(turnCancelled(turnId));
  if (!OF_THE_AGENT.includes(kind)) return new TurnNotTaken(turnId, failure, position);
  const what = `turn ${turnId}`;
  const text = { errorClass: 'TurnNotTaken', what, why: message, fix: 'Change the agent' };
  return new RejectionError(reject('refused', kind, text));
}
