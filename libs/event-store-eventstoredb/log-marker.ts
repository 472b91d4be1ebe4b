import { randomUUID } from 'node:crypto';
import { checkLogId, NoLog, RevisionConflict, type StoredEvent, StoreUnavailable } from '#lib/event-store';
import { jsonText, parseJsonObject } from '#lib/kernel';
import type { Appender } from './appender.js';
import type { Gap } from './log-progress.js';
import type { StreamReader } from './stream-reader.js';

/** The stream that names the log and notes the parts of the server's log that belong to other applications. The port does not show it. */
export function markerStream(prefix: string): string {
  return `${prefix}log`;
}

export interface Marker {
  readonly logId: string;
  /** The id of the marker's first event. */
  readonly eventId: string;
  /** The beginning of this log in the server's log: the position of the marker's first event. */
  readonly floor: bigint;
  readonly gaps: readonly Gap[];
  /** The revision of the marker's last event. */
  readonly revision: number;
}

/** Older notes cost more to read than they spare. */
const MOST_NOTES = 1_000;

/**
 * The marker of the log. The first to open the log writes it, unless the log must exist; of several at once, one wins.
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
  // Of this process or of the winner: the next read waits for it.
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
