import type { AwaitedItem, InboxItem } from '#lib/monitoring';
import { NeedsPerson } from '../error-classes.js';
import { oneLine } from '../format/one-line.js';
import { waitingDetails } from '../format/waiting-lines.js';

type Inbox = (asked: { readonly sessionId: string }) => Promise<{
  readonly items: readonly (InboxItem | AwaitedItem)[];
}>;

/** The error for a session that waits for a person: the reason, the proposals, and the commands that decide. */
export async function needsPerson(
  inbox: Inbox,
  sessionId: string,
  dataDir: string | undefined,
): Promise<NeedsPerson> {
  const { items } = await inbox({ sessionId });
  const waiting = items.find((item) => item.kind === 'decision');
  if (!waiting) {
    const what = `session ${sessionId} has waited for a person`;
    return new NeedsPerson(what, 'another caller decided it', 'Look at it with redial inspect');
  }
  return new NeedsPerson(
    `session ${sessionId} waits for a person in ${oneLine(waiting.currentState)}`,
    oneLine(waiting.detail, 300),
    `${waiting.people.length === 0 ? 'Register a person and decide' : 'Decide'} with one of these commands${again(waiting)}`,
    waitingDetails(waiting, dataDir),
  );
}

/** No step asks anybody twice in a round. */
function again({ reason }: InboxItem): string {
  return reason === 'no-proposals' ? ', or ask a proposer again with redial propose' : '';
}
