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
        return await this.connection.read(request, (call) => this.#collect(logId, call));
      } catch (error) {
        if (attempt === ATTEMPTS || !mayPass(error)) {
          throw unavailable('cannot read from', this.connection.server, error);
        }
      }
      await backoff.pause();
    }
  }

  #collect(logId: string, call: ReadCall): Promise<StoredEvent[]> {
    const events: StoredEvent[] = [];
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        reject(new ServerSilent(this.timeoutMs));
        call.cancel();
      }, this.timeoutMs);
      const settle = (settled: () => void) => {
        clearTimeout(timer);
        settled();
      };
      call.on('data', (response: ReadResp) => {
        timer.refresh();
        try {
          const event = response.getEvent();
          if (event) events.push(storedEvent(logId, event));
        } catch (error) {
          settle(() => reject(error));
          call.cancel();
        }
      });
      call.on('end', () => settle(() => resolve(events)));
      call.on('error', (error) => settle(() => reject(error)));
    });
  }
}
