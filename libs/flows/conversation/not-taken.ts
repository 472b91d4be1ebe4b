import { reject } from '#lib/kernel';
import { RejectionError } from '#lib/operations/core';
import type { TurnFailure } from '../turn/turn-result.js';
import { turnCancelled, TurnNotTaken } from './conversation.rejections.js';

/** Failures by the agent's definition. All others come from calls. */
const OF_THE_AGENT = ['directive-chain', 'max-auto-steps', 'requires'];

/** The error of a failed turn. @param position of the event that ended it */
export function notTaken(turnId: string, failure: TurnFailure, position: string | undefined): Error {
  const { kind, message } = failure;
  if (kind === 'cancelled') return new RejectionError(turnCancelled(turnId));
  if (!OF_THE_AGENT.includes(kind)) return new TurnNotTaken(turnId, failure, position);
  const what = `turn ${turnId}`;
  const text = { errorClass: 'TurnNotTaken', what, why: message, fix: 'Change the agent' };
  return new RejectionError(reject('refused', kind, text));
}
