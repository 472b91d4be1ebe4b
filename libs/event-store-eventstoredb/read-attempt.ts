import type { ReadReq, ReadResp } from '@eventstore/db-client/generated/streams_pb.js';
import type { StoredEvent } from '#lib/event-store';
import type { ReadCall, Reading } from './node-connection.js';
import { storedEvent } from './recorded-event.js';
import { ServerSilent } from './server-errors.js';

export interface AttemptOptions {
  readonly logId: string;
  /** The longest silence. */
  readonly silenceMs: number;
  /** Called after each event. True if the read may end with it. */
  readonly enough?: ((events: readonly StoredEvent[]) => boolean) | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Called after a silence, before the attempt is given up. */
  readonly onSilence?: ((silenceMs: number) => void) | undefined;
}

/** One attempt of a read that ends. @throws ServerSilent, or the failure of the call */
export function attemptRead(
  reading: Reading,
  request: ReadReq,
  { logId, silenceMs, enough, signal, onSilence }: AttemptOptions,
): Promise<StoredEvent[]> {
  return new Promise((resolve, reject) => {
    let call: ReadCall | undefined;
    const cancel = () => call?.cancel();
    // The time runs from here, not from the call on, because finding the server can hang, too.
    const timer = setTimeout(() => {
      reject(new ServerSilent(silenceMs, true));
      onSilence?.(silenceMs);
      cancel();
    }, silenceMs);
    signal?.addEventListener('abort', cancel);
    reading
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

/** The events of a read, up to the one that is enough. @param onAlive called with each message */
function collect(
  logId: string,
  call: ReadCall,
  onAlive: () => void,
  enough: AttemptOptions['enough'],
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
