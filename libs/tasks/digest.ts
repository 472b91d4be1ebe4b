import { canonicalText, present, sha256 } from '#lib/kernel';
import type { WaitingThing } from './task.family.js';

/**
 * SHA-256, in hexadecimal, of the content that is shown for an answer: the wait, its proposals with their arguments or the arguments of its
 * call, and the schemas of the choices.
 * Alignment, comments, claims and times are not in it.
 */
export function digestOf(waiting: WaitingThing): string {
  const { taskId, version, proposals, choices, arguments: given } = waiting;
  const shown = proposals?.map(({ proposalId, transitionName, metaJson }) => ({
    proposalId,
    transitionName,
    ...(metaJson !== undefined && { arguments: metaJson }),
  }));
  const schemas = choices.map(({ schema }) => schema);
  const parts = present({ proposals: shown, arguments: given });
  return sha256(canonicalText({ taskId, version, ...parts, schemas }));
}
