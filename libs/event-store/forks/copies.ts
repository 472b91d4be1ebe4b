import {
  derivedId,
  type Event,
  firstDifference,
  jsonText,
  present,
  type RecordedEvent,
  reject,
  type Rejection,
  sha256,
} from '#lib/kernel';

import type { NewEvent } from '../event-codec.js';

/** The origin of a fork's first events. It is a member of the data of the first one. */
export interface ForkedFrom {
  /** The stream, without the prefix of its log. */
  readonly stream: string;
  /** The revision of the last copied event. The copies have the same revisions. */
  readonly revision: number;
  /** Of a conversation: the last copied turn. */
  readonly turnId?: string;
  /** The hash over the types and data of the copies, without this member. */
  readonly sha256: string;
  /** A person, or `operator`. */
  readonly by: string;
  readonly reason?: string;
}

/** The members of a `ForkedFrom`. */
export const forkedFromMembers = {
  stream: 'structure',
  revision: 'structure',
  turnId: 'structure',
  sha256: 'derived',
  by: 'structure',
  reason: 'content',
} as const;

/** The stream of a fork, and the person who forks it. */
interface ForkName extends Pick<ForkedFrom, 'turnId' | 'by' | 'reason'> {
  /** A UUID. */
  readonly id: string;
  /** With the prefix of the log. */
  readonly stream: string;
}

type Forked = Event<string, { readonly forkedFrom?: ForkedFrom; readonly key?: string }>;

/**
 * The first events of a fork: those of another stream up to a revision, with the same revisions and times. The first one holds the origin. A key
 * belongs to one stream, so a fork has none.
 * @param stream the other stream, without the prefix of its log
 * @param ofFork the data of the first event in the fork
 */
export function copiesOf<E extends Event>(
  events: readonly RecordedEvent<E>[],
  stream: string,
  { id, stream: own, ...who }: ForkName,
  ofFork: (data: E['data']) => object,
): readonly RecordedEvent<E>[] {
  const copies = events.map((event) => {
    const { command: _c, commandFingerprint: _f, ...metadata } = event.metadata;
    const about = { ...metadata, correlationId: id, copied: true };
    return { ...event, eventId: derivedId(id, `copy ${event.revision}`), stream: own, metadata: about };
  });
  const [created, ...others] = copies;
  if (!created) return [];
  const from = { stream, revision: events.length - 1, ...who };
  const { forkedFrom: _, key: _key, ...data } = ofFork(created.data) as Forked['data'];
  const forkedFrom: ForkedFrom = { ...from, sha256: hashOf(from, [{ ...created, data }, ...others]) };
  return [{ ...created, data: { ...data, forkedFrom } }, ...others] as readonly RecordedEvent<E>[];
}

/** Covers the origin of the copies, and their types and data. Copies have no recorded command from which a replay could derive them. */
function hashOf(from: Omit<ForkedFrom, 'sha256'>, copies: readonly Event[]): string {
  return sha256(jsonText([from, ...copies.map(({ type, data }) => [type, data])]));
}

/** The events of a stream that were not copied from another one. */
export function ownEvents<E extends Event>(events: readonly RecordedEvent<E>[]): readonly RecordedEvent<E>[] {
  return events.filter(({ metadata }) => !metadata.copied);
}

/** The number of copied events at the start of a stream. A copied event without this number, or the reverse, means that the record was changed. */
export function copiedIn([first]: readonly Event[]): number {
  const { forkedFrom } = (first?.data ?? {}) as Forked['data'];
  return forkedFrom === undefined ? 0 : forkedFrom.revision + 1;
}

/** The first difference between a fork's copied events and the hash over all of them, in the first one. */
export function changedCopy(events: readonly RecordedEvent[]) {
  return otherHash(events) ?? otherFlag(events);
}

function otherFlag(events: readonly RecordedEvent[]) {
  const copied = copiedIn(events);
  const flagged = events.find(({ metadata, revision }) => (metadata.copied === true) !== revision < copied);
  return flagged && differs(flagged, '/metadata/copied', flagged.metadata.copied, !flagged.metadata.copied);
}

function otherHash(events: readonly RecordedEvent[]) {
  const [created] = events as readonly RecordedEvent<Forked>[];
  if (!created?.data.forkedFrom) return undefined;
  const { forkedFrom, ...data } = created.data;
  const { sha256: _, ...from } = forkedFrom;
  const hash = hashOf(from, [{ ...created, data }, ...events.slice(1, copiedIn(events))]);
  const again = { ...data, forkedFrom: { ...from, sha256: hash } };
  const difference = firstDifference(created.data, again, '/data');
  const { stream, revision, type } = created;
  return difference && { stream, revision, type, ...difference };
}

function differs(
  { stream, revision, type }: RecordedEvent,
  pointer: string,
  recorded: unknown,
  replayed: unknown,
) {
  return { stream, revision, type, pointer, recorded, replayed };
}

/**
 * The events up to a revision at which a stream can be forked.
 * @param isBorder whether the stream can be forked between an event and the next one
 * @param why of the refusal of another revision
 * @returns the events; or the refusal, with the borders before and after the revision, if there are any
 */
export function upToBorder<One extends RecordedEvent>(
  events: readonly One[],
  revision: number,
  stream: string,
  {
    isBorder,
    why,
  }: { readonly isBorder: (event: One, next: One | undefined) => boolean; readonly why: string },
): readonly One[] | Rejection {
  const last = events.length - 1;
  if (revision > last) return noRevision(stream, revision, last);
  const borders = events.flatMap((event, at) => (isBorder(event, events[at + 1]) ? [at] : []));
  if (borders.includes(revision)) return events.slice(0, revision + 1);
  const before = borders.findLast((one) => one < revision);
  const after = borders.find((one) => one > revision);
  const what = `revision ${revision} of ${stream}`;
  const beside = [before, after].filter((one) => one !== undefined);
  const fix =
    beside.length > 0
      ? `Fork at ${beside.join(' or ')}`
      : 'Start another: it cannot be forked at any revision';
  return {
    ...reject('refused', 'inside-append', { what, why, fix }),
    borders: present({ before, after }),
  };
}

function noRevision(stream: string, revision: number, last: number): Rejection {
  return reject('unknown', 'unknown-revision', {
    what: `revision ${revision} of ${stream}`,
    why: `its last one is ${last}`,
    fix: `Fork at a revision from 0 to ${last}`,
  });
}

/** Copies in the form in which they are appended. */
export function toCopyAgain<E extends Event>(copies: readonly RecordedEvent<E>[]): readonly NewEvent<E>[] {
  return copies.map(({ eventId, type, data, metadata }) => {
    const { schemaVersion: _s, encoding: _e, ...about } = metadata;
    return { eventId, event: { type, data } as E, metadata: about };
  });
}
