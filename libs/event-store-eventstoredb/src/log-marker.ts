import { randomUUID } from 'node:crypto';
import { checkLogId, RevisionConflict, StoreUnavailable } from '#lib/event-store';
import { jsonText, parseJsonObject } from '#lib/kernel';
import type { Appender } from './appender.js';
import type { EventReader } from './event-reader.js';
import { streamRequest } from './read-request.js';

/** The stream that names the log: what begins with this prefix on this cluster. It is no part of what the port shows. */
export function markerStream(prefix: string): string {
  return `${prefix}log`;
}

/** The id of the log. The first to open it gives it one; of several at once, one wins. @throws StoreUnavailable */
export async function logIdOf(prefix: string, reader: EventReader, appender: Appender): Promise<string> {
  const stream = markerStream(prefix);
  const known = await readLogId(stream, reader);
  if (known !== undefined) return known;
  const logId = randomUUID();
  const marker = { eventId: randomUUID(), type: 'LogNamed', data: jsonText({ logId }), metadata: '{}' };
  try {
    await appender.append(stream, undefined, [marker]);
    return logId;
  } catch (error) {
    if (!(error instanceof RevisionConflict)) throw error;
    return (await readLogId(stream, reader)) ?? logId;
  }
}

async function readLogId(stream: string, reader: EventReader): Promise<string | undefined> {
  const [marker] = await reader.read('', streamRequest(stream, { limit: 1 }));
  if (marker === undefined) return undefined;
  const logId = parseJsonObject(marker.data)?.['logId'];
  if (typeof logId === 'string') {
    checkLogId(logId);
    return logId;
  }
  throw new StoreUnavailable(
    `cannot open the event log in EventStoreDB`,
    `the stream ${stream} is not one of Redial`,
    'Set another REDIAL_STREAM_PREFIX',
  );
}
