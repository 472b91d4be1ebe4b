import type { ReadReq, ReadResp } from '@eventstore/db-client/generated/streams_pb.js';
import type { StoredEvent } from '#lib/event-store';
import { Backoff } from './backoff.js';
import type { Connection, ReadCall } from './connection.js';
import { mayPass } from './grpc-failure.js';
import { storedEvent } from './recorded-event.js';
import { ServerSilent } from './server-silent.js';
import { unavailable } from './unavailable.js';

/** A read is tried so often. */
const ATTEMPTS = 4;

/** Reads that end. */
export class EventReader {
  /** @param timeoutMs the longest silence within a read */
  constructor(
    private readonly connection: Connection,
    private readonly timeoutMs: number,
  ) {}

  /** All events the request asks for; none where there is no such stream. @throws StoreUnavailable */
  async read(logId: string, request: ReadReq): Promise<StoredEvent[]> {
    const backoff = new Backoff();
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#attempt(logId, request);
      } catch (error) {
        if (attempt === ATTEMPTS || !mayPass(error)) {
          throw unavailable('cannot read from', this.connection.server, error);
        }
      }
      await backoff.pause();
    }
  }

  #attempt(logId: string, request: ReadReq): Promise<StoredEvent[]> {
    return new Promise((resolve, reject) => {
      let call: ReadCall | undefined;
      // Runs from here, not from the call on: finding the server can hang too.
      const timer = setTimeout(() => {
        reject(new ServerSilent(this.timeoutMs, true));
        call?.cancel();
      }, this.timeoutMs);
      this.connection
        .read(request, (begun) => {
          call = begun;
          return collect(logId, begun, () => timer.refresh());
        })
        .then(resolve, reject)
        .finally(() => clearTimeout(timer));
    });
  }
}

/** All events of a read. @param onAlive called with each message */
function collect(logId: string, call: ReadCall, onAlive: () => void): Promise<StoredEvent[]> {
  const events: StoredEvent[] = [];
  return new Promise((resolve, reject) => {
    call.on('data', (response: ReadResp) => {
      onAlive();
      try {
        const event = response.getEvent();
        if (event) events.push(storedEvent(logId, event));
      } catch (error) {
        reject(error);
        call.cancel();
      }
    });
    call.on('end', () => resolve(events));
    call.on('error', reject);
  });
}
