import { Patience, type StoredEvent } from '#lib/event-store';
import type { ReadReq, ReadResp } from '@eventstore/db-client/generated/streams_pb.js';
import { attemptMs, type AttemptSettings } from './attempt-settings.js';
import type { Connection, ReadCall } from './connection.js';
import { mayPass } from './grpc-failure.js';
import { storedEvent } from './recorded-event.js';
import { ServerSilent } from './server-silent.js';
import { unavailable } from './unavailable.js';

interface ReadOptions {
  readonly patience?: Patience;
  /** Called after each event: whether the read may end with it. */
  readonly enough?: (events: readonly StoredEvent[]) => boolean;
  /** The longest silence within an attempt, if the settings do not fit. */
  readonly silenceMs?: number;
  readonly signal?: AbortSignal;
}

/** Reads that end. */
export class EventReader {
  constructor(
    private readonly connection: Connection,
    readonly settings: AttemptSettings,
  ) {}

  get server(): string {
    return this.connection.server;
  }

  /** All events the request asks for, or as many as are enough; none if there is no such stream. @throws StoreUnavailable */
  async read(logId: string, request: ReadReq, options: ReadOptions = {}): Promise<StoredEvent[]> {
    const { patience = new Patience(this.settings.patienceMs), signal } = options;
    const { silenceMs = this.settings.attemptMs } = options;
    for (;;) {
      try {
        const longest = attemptMs({ ...this.settings, attemptMs: silenceMs }, patience);
        return await this.#attempt(logId, request, longest, options);
      } catch (error) {
        if (!mayPass(error) || patience.isOver || signal?.aborted) {
          throw unavailable('cannot read from', this.server, error);
        }
      }
      await patience.pause(signal);
    }
  }

  #attempt(
    logId: string,
    request: ReadReq,
    silenceMs: number,
    { enough, signal }: ReadOptions,
  ): Promise<StoredEvent[]> {
    return new Promise((resolve, reject) => {
      let call: ReadCall | undefined;
      const cancel = () => call?.cancel();
      // Runs from here, not from the call on: finding the server can hang too.
      const timer = setTimeout(() => {
        reject(new ServerSilent(silenceMs, true));
        cancel();
      }, silenceMs);
      signal?.addEventListener('abort', cancel);
      this.connection
        .read(request, (begun) => {
          call = begun;
          if (signal?.aborted) cancel();
          return collect(logId, begun, () => timer.refresh(), enough);
        })
        .then(resolve, reject)
        .finally(() => {
          clearTimeout(timer);
          signal?.removeEventListener('abort', cancel);
        });
    });
  }
}

/** The events of a read, up to the one that is enough. @param onAlive called with each message */
function collect(
  logId: string,
  call: ReadCall,
  onAlive: () => void,
  enough: ReadOptions['enough'],
): Promise<StoredEvent[]> {
  const events: StoredEvent[] = [];
  return new Promise((resolve, reject) => {
    call.on('data', (response: ReadResp) => {
      onAlive();
      try {
        const event = response.getEvent();
        if (event) events.push(storedEvent(logId, event));
        // A server that was asked for a number of events looks for one more before it ends the read.
        if (event && enough?.(events)) call.cancel();
      } catch (error) {
        reject(error);
        call.cancel();
      }
    });
    call.on('end', () => resolve(events));
    call.on('error', (error) => {
      if (enough?.(events)) resolve(events);
      else reject(error);
    });
  });
}
