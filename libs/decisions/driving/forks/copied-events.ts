import {
  derivedId,
  firstDifference,
  jsonText,
  type RecordedEvent,
  reject,
  type Rejection,
  sha256,
} from '#lib/kernel';
import type { ForkedFrom, SessionCreated, SessionEvent } from '#lib/decisions/session';

type Recorded = RecordedEvent<SessionEvent>;

/** The stream of a fork, and who forks it. */
export interface ForkName {
  readonly sessionId: string;
  /** With the prefix of the log. */
  readonly stream: string;
  readonly by: string;
  readonly reason?: string;
}

/**
 * The first events of a fork, up to this revision of another session: at the same revisions and with the times at which they happened.
 * The first says where they come from.
 * @param stream the other session, without the prefix of its log
 */
export function copiesOf(
  events: readonly Recorded[],
  stream: string,
  { sessionId, stream: own, by, reason }: ForkName,
): readonly Recorded[] {
  const copies = events.map((event): Recorded => {
    const { command: _c, commandFingerprint: _f, ...metadata } = event.metadata;
    const eventId = derivedId(sessionId, `copy ${event.revision}`);
    const about = { eventId, stream: own, metadata: { ...metadata, correlationId: sessionId, copied: true } };
    return { ...event, ...(about as Pick<Recorded, 'eventId' | 'stream' | 'metadata'>) };
  });
  const [created, ...others] = copies;
  if (created?.type !== 'SessionCreated') return [];
  const from = { stream, revision: events.length - 1, by, ...(reason !== undefined && { reason }) };
  const { forkedFrom: _, ...data } = { ...created.data, sessionId };
  const first = { ...created, data };
  const forkedFrom: ForkedFrom = { ...from, sha256: hashOf(from, [first, ...others]) };
  return [{ ...first, data: { ...data, forkedFrom } }, ...others];
}

/** The origin of the copies, with their types and data: no command is recorded from which a replay could derive them. */
function hashOf(from: Omit<ForkedFrom, 'sha256'>, copies: readonly Recorded[]): string {
  return sha256(jsonText([from, ...copies.map(({ type, data }) => [type, data])]));
}

/** How many of the first events of a session were copied. A flag without that, or the other way round, is a change of the record. */
export function copiedIn(events: readonly Recorded[]): number {
  const { forkedFrom } = (events[0]?.data ?? {}) as Partial<SessionCreated['data']>;
  return forkedFrom === undefined ? 0 : forkedFrom.revision + 1;
}

/** Where the copied events of a fork are not what was copied: one hash stands for them all, in the first of them. */
export function changedCopy(events: readonly Recorded[]) {
  return otherHash(events) ?? otherFlag(events);
}

function otherFlag(events: readonly Recorded[]) {
  const copied = copiedIn(events);
  const flagged = events.find(({ metadata, revision }) => (metadata.copied === true) !== revision < copied);
  return flagged && differs(flagged, '/metadata/copied', flagged.metadata.copied, !flagged.metadata.copied);
}

function otherHash(events: readonly Recorded[]) {
  const copied = copiedIn(events);
  const [created] = events;
  if (created?.type !== 'SessionCreated' || !created.data.forkedFrom) return undefined;
  const { forkedFrom, ...data } = created.data;
  const { sha256: _, ...from } = forkedFrom;
  const hash = hashOf(from, [{ ...created, data }, ...events.slice(1, copied)]);
  const difference = firstDifference(
    created.data,
    { ...data, forkedFrom: { ...from, sha256: hash } },
    '/data',
  );
  const { stream, revision, type } = created;
  return difference && { stream, revision, type, ...difference };
}

function differs(
  { stream, revision, type }: Recorded,
  pointer: string,
  recorded: unknown,
  replayed: unknown,
) {
  return { stream, revision, type, pointer, recorded, replayed };
}

/**
 * The events up to a revision, at which a session can be forked: the last event of a command.
 * @returns the refusal, with the borders before and after it
 */
export function upToBorder(
  events: readonly Recorded[],
  revision: number,
  stream: string,
): readonly Recorded[] | Rejection {
  const last = events.at(-1)?.revision ?? -1;
  if (revision > last) return noRevision(stream, revision, last);
  const borders = events.flatMap(({ revision: one, metadata }) =>
    metadata.commandId !== undefined && metadata.commandId === events[one + 1]?.metadata.commandId
      ? []
      : [one],
  );
  if (borders.includes(revision)) return events.slice(0, revision + 1);
  const before = borders.findLast((one) => one < revision);
  const after = borders.find((one) => one > revision) ?? last;
  return {
    ...insideAppend(stream, revision, before, after),
    borders: { ...(before !== undefined && { before }), after },
  };
}

function noRevision(stream: string, revision: number, last: number): Rejection {
  return reject('unknown', 'unknown-revision', {
    what: `revision ${revision} of ${stream}`,
    why: `its last one is ${last}`,
    fix: `Fork at a revision from 0 to ${last}`,
  });
}

function insideAppend(
  stream: string,
  revision: number,
  before: number | undefined,
  after: number,
): Rejection {
  return reject('refused', 'inside-append', {
    what: `revision ${revision} of ${stream}`,
    why: 'other events of the same command follow it',
    fix: before === undefined ? `Fork at ${after}` : `Fork at ${before} or ${after}`,
  });
}
