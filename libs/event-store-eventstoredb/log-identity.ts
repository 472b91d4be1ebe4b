import { setTimeout as delay } from 'node:timers/promises';
import type { StoredEvent } from '#lib/event-store';
import { isUnknown } from './grpc-failure.js';
import { type Marker, markerStream } from './log-marker.js';
import { LogReplaced } from './server-errors.js';
import type { KnownHead } from './log-progress.js';
import type { Reading } from './node-connection.js';
import { attemptRead } from './read-attempt.js';
import { isNoPlace } from './place-probe.js';
import { eventAtRequest, streamRequest } from './read-request.js';

/** A node that has just become the leader may show an event a little later. */
const USUAL_LAG_MS = 1_000;
const PAUSE_MS = 50;

interface OpenedLog {
  readonly prefix: string;
  readonly marker: Marker;
  readonly server: string;
  /** The last event that this process knows. */
  readonly head: () => KnownHead | undefined;
  readonly silenceMs: number;
}

/**
 * Checks that a node has the log that was opened. A server may come back with an empty database, or with an older backup, while engines run: their
 * next events would then follow on events that are missing.
 * @throws LogReplaced
 */
export async function checkLog(node: Reading, log: OpenedLog): Promise<void> {
  const { prefix, marker, server, silenceMs } = log;
  const read = async (request: Parameters<Reading['read']>[0]): Promise<StoredEvent | undefined> =>
    (await attemptRead(node, request, { logId: '', silenceMs }))[0];
  const [stream, head] = [markerStream(prefix), log.head()];
  const named = await read(streamRequest(stream, { limit: 1 }));
  if (named?.eventId !== marker.eventId) {
    throw new LogReplaced(
      server,
      named ? `stream ${stream} is of another log` : `stream ${stream} is missing`,
    );
  }
  if (head && !(await isThere(node, prefix, head, read))) {
    throw new LogReplaced(server, 'the last event that this process knows is missing');
  }
}

async function isThere(
  node: Reading,
  prefix: string,
  { sequence, eventId }: KnownHead,
  read: (request: Parameters<Reading['read']>[0]) => Promise<StoredEvent | undefined>,
): Promise<boolean> {
  const began = performance.now();
  for (;;) {
    try {
      const event = await read(eventAtRequest(sequence));
      const isSame = event !== undefined && BigInt(event.position.slice(1)) === sequence;
      if (isSame) return eventId === undefined || event.eventId === eventId;
    } catch (error) {
      if (!isUnknown(error)) throw error;
      if (await isNoPlace(node, prefix, sequence)) return false;
      throw error;
    }
    if (performance.now() - began > USUAL_LAG_MS) return false;
    await delay(PAUSE_MS, undefined, { ref: false });
  }
}
