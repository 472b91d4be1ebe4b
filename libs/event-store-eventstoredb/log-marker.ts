import { randomUUID } from 'node:crypto';
import { checkLogId, NoLog, RevisionConflict, type StoredEvent, StoreUnavailable } from '#lib/event-store';
import { jsonText, parseJsonObject } from '#lib/kernel';
import type { Appender } from './appender.js';
import type { Gap } from './log-progress.js';
import type { StreamReader } from './stream-reader.js';

/** The stream that names the log and notes the parts of the server's log that belong to other applications. The event store does not show it. */
export function markerStream(prefix: string): string {
  return `${prefix}log`;
}

export interface Marker {
  readonly logId: string;
  readonly eventId: string;
  /** The position of the marker's first event, where this log begins in the server's log. */
  readonly floor: bigint;
  readonly gaps: readonly Gap[];
  /** The revision of the marker's last event. */
  readonly revision: number;
}

/** Reading more notes than this costs more than they save. */
const MOST_NOTES = 1_000;

/**
 * The marker of the log. The first process to open the log writes it, unless the log must exist; of several at once, one wins.
 * @throws NoLog @throws StoreUnavailable
 */
export async function openMarker(
  prefix: string,
  streams: StreamReader,
  appender: Appender,
  mustExist: boolean,
): Promise<Marker> {
  const stream = markerStream(prefix);
  const known = await readMarker(stream, streams);
  if (known) return known;
  if (mustExist) {
    const fix = 'Correct REDIAL_STREAM_PREFIX or the address of the server';
    throw new NoLog(`no log with this prefix (${prefix})`, `the server has no stream ${stream}`, fix);
  }
  try {
    const logId = randomUUID();
    await appender.append(stream, undefined, [markerEvent('LogNamed', { logId })]);
  } catch (error) {
    if (!(error instanceof RevisionConflict)) throw error;
  }
  // Written by this process or by the winner. The next read waits for it.
  streams.expect(stream, 0);
  const written = await readMarker(stream, streams);
  if (written) return written;
  throw foreign(stream);
}

export function gapNoted({ after, upTo }: Gap) {
  return markerEvent('GapNoted', { after: String(after), upTo: String(upTo) });
}

function markerEvent(type: string, data: { readonly [name: string]: string }) {
  return { eventId: randomUUID(), type, data: jsonText(data), metadata: '{}' };
}

async function readMarker(stream: string, streams: StreamReader): Promise<Marker | undefined> {
  const [named] = await streams.read('', stream, { limit: 1 });
  if (named === undefined) return undefined;
  const newest = await streams.read('', stream, { direction: 'backwards', limit: MOST_NOTES });
  const logId = parseJsonObject(named.data)?.['logId'];
  if (typeof logId !== 'string') throw foreign(stream);
  checkLogId(logId);
  const gaps = newest.toReversed().flatMap(gapOf);
  const { eventId } = named;
  return { logId, eventId, floor: BigInt(named.position.slice(1)), gaps, revision: newest[0]?.revision ?? 0 };
}

function gapOf({ type, data }: StoredEvent): readonly Gap[] {
  const { after, upTo } = parseJsonObject(data) ?? {};
  if (type !== 'GapNoted' || typeof after !== 'string' || typeof upTo !== 'string') return [];
  return [{ after: BigInt(after), upTo: BigInt(upTo) }];
}

function foreign(stream: string): StoreUnavailable {
  return new StoreUnavailable(
    `cannot open the event log in EventStoreDB`,
    `the stream ${stream} is not one of Redial`,
    'Set another REDIAL_STREAM_PREFIX',
  );
}
