import { roundTaskId } from '#lib/decisions/session';
import { keyedCommandId, OPERATOR, scopeOfKey } from '#lib/operations/core';
import { everyItem } from '../operations/every-item.js';
import type { AnswerOf, Call } from '../operations/call-operation.js';

type SessionEventItem = AnswerOf<'listSessionEvents'>['items'][number];

/** The call that was made under a key: the answer to a task, or without one an arbitration. */
export interface DecidedBefore {
  readonly taskId?: string;
}

/**
 * A key counts within one task, or within the arbitrations of the session. So a repeat makes the same call as the first call of this caller,
 * also if another task waits by now. The events of the session tell which call it was.
 */
export async function decidedBefore(
  call: Call,
  sessionId: string,
  key: string,
): Promise<DecidedBefore | undefined> {
  const { personId: actor = OPERATOR } = await call('getPrincipal', {});
  const isOf = ({ metadata }: SessionEventItem, scope: string) =>
    metadata.commandId === keyedCommandId(actor, scope, key);
  const events = await everyItem((page) => call('listSessionEvents', { sessionId, ...page }));
  for (const event of events) {
    const { roundId } = event.data as { readonly roundId?: string };
    const taskId = roundId === undefined ? undefined : roundTaskId(sessionId, roundId);
    if (taskId !== undefined && isOf(event, scopeOfKey('answerTask', { taskId }))) return { taskId };
    if (isOf(event, scopeOfKey('submitArbitration', { sessionId }))) return {};
  }
  return undefined;
}
