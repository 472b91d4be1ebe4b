import { type Digest, idInStream } from '#lib/event-store';
import { derivedId, jsonText, type RecordedEvent, sha256 } from '#lib/kernel';
import { type Divergence, locationOf } from './divergence.js';
import type { WorkflowForked } from './forks/fork.events.js';
import type { WorkflowStarted } from './runtime.events.js';

/** The position of a UUID's version digit, and the version of ids that follow from the content of their start. */
const VERSION_AT = 14;
const OF_START = '8';

type Start = WorkflowStarted | WorkflowForked;

/**
 * The id of the start of a run, or of a fork. It follows from the whole data of the start, and its time. The second of two different starts of one
 * run meets a conflict. No rules derive a start: its id is how a replay finds that the author, the input or the facts were changed in the record.
 * @param digest that of the run's subject
 */
export function startId(
  runId: string,
  data: Start['data'],
  occurredAt: string,
  digest: Digest = sha256,
): string {
  const id = derivedId(runId, `start ${digest(jsonText(data))} ${occurredAt}`);
  return id.slice(0, VERSION_AT) + OF_START + id.slice(VERSION_AT + 1);
}

/** The divergence of a start that was changed in the record; `undefined` for a start with another kind of id: one before 0.3, or of a fork. */
export function startDivergence(
  start: RecordedEvent<WorkflowStarted>,
  digest?: Digest,
): Divergence | undefined {
  return start.eventId.charAt(VERSION_AT) === OF_START ? otherStart(start, digest) : undefined;
}

/** The divergence of the event at which the fork continues by itself, if it was changed in the record. */
export function forkDivergence(
  forked: RecordedEvent<WorkflowForked>,
  digest?: Digest,
): Divergence | undefined {
  return otherStart(forked, digest);
}

function otherStart(start: RecordedEvent<Start>, digest?: Digest): Divergence | undefined {
  const { data, eventId: recorded, occurredAt, stream } = start;
  const replayed = startId(idInStream(stream), data, occurredAt, digest);
  return recorded === replayed
    ? undefined
    : { ...locationOf(start), pointer: '/eventId', recorded, replayed };
}
