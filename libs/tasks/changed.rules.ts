import type { JsonObject, RefusedTask } from '#lib/kernel';
import { digestOf } from './digest.js';
import type { TaskAnswerBody, WaitingThing } from './task.family.js';

/** Earlier states of a task whose digests are compared with that of the answer. */
const MOST_EARLIER = 64;

/** The digest of a waiting task, and its members that have changed since the state that the answer names. */
export function changesOf(waiting: WaitingThing, body: TaskAnswerBody): RefusedTask {
  return { digest: digestOf(waiting), changed: changedSince(waiting, body) };
}

/** The current wait and the proposals that came since. All members if no earlier state has the digest. */
function changedSince(waiting: WaitingThing, { digest, version }: TaskAnswerBody): JsonObject {
  const { proposals = [] } = waiting;
  const isOtherWait = version !== undefined && version !== waiting.version;
  if (digest === undefined) return isOtherWait ? { version: waiting.version } : {};
  const shown = earlierStates(waiting).find((state) => digestOf(state) === digest);
  if (!shown) return membersOf(waiting);
  const since = proposals.slice(shown.proposals?.length ?? 0);
  return {
    ...((isOtherWait || shown.version !== waiting.version) && { version: waiting.version }),
    ...(since.length > 0 && { proposals: since.map((one) => ({ ...one })) }),
  };
}

/** The states of a task, the latest first. Within a round proposals are only added, and each wait has the next version. */
function earlierStates(waiting: WaitingThing): readonly WaitingThing[] {
  const { version, proposals } = waiting;
  const states: WaitingThing[] = [];
  for (let count = proposals?.length ?? 0; count >= 0; count--)
    for (let wait = version; wait > 0 && states.length < MOST_EARLIER; wait--)
      states.push({ ...withProposals(waiting, count), version: wait });
  return states;
}

function withProposals(waiting: WaitingThing, count: number): WaitingThing {
  if (!waiting.proposals) return waiting;
  const proposals = waiting.proposals.slice(0, count);
  const ids = new Set(proposals.map(({ proposalId }) => proposalId));
  const choices = waiting.choices.filter(({ proposalId }) => proposalId === undefined || ids.has(proposalId));
  return { ...waiting, proposals, choices };
}

function membersOf({ version, proposals, arguments: given }: WaitingThing): JsonObject {
  return {
    version,
    ...(proposals && { proposals: proposals.map((one) => ({ ...one })) }),
    ...(given && { arguments: given }),
  };
}
