import type { StoredEvent } from '#lib/event-store';
import { Backoff } from './backoff.js';
import type { Connection } from './connection.js';
import { mayPass } from './grpc-failure.js';
import { type LogPlace, subscriptionRequest } from './read-request.js';
import { SubscriptionFeed } from './subscription-feed.js';
import { unavailable } from './unavailable.js';

/** Which part of the server's log is ours. */
export interface OwnLog {
  readonly logId: string;
  readonly prefix: string;
  readonly isOurs: (event: StoredEvent) => boolean;
}

/**
 * `subscribe` over as many calls as it takes: when one breaks, the next goes on after the last place that was reached,
 * so nothing is lost and nothing comes twice. Tries for ever, with pauses, as long as the trouble may pass.
 * @throws StoreUnavailable when it will not pass by itself: refused credentials, a server too old
 */
export async function* followServer(
  connection: Connection,
  { logId, prefix, isOurs }: OwnLog,
  after: LogPlace | undefined,
  signal: AbortSignal,
): AsyncGenerator<readonly StoredEvent[]> {
  const backoff = new Backoff();
  let place = after;
  let caughtUp = false;
  while (!signal.aborted) {
    const request = subscriptionRequest(prefix, place);
    const feed = new SubscriptionFeed(connection, logId, request, () => backoff.reset());
    try {
      for (;;) {
        const taken = await feed.take(signal);
        if (signal.aborted) return;
        place = taken.reached ?? place;
        const events = taken.events.filter(isOurs);
        if (events.length > 0) yield events;
        if (taken.caughtUp && !caughtUp) {
          caughtUp = true;
          yield [];
        }
        if (taken.ended === undefined) continue;
        if (!mayPass(taken.ended)) throw unavailable('cannot follow', connection.server, taken.ended);
        break;
      }
    } finally {
      feed.cancel();
    }
    await backoff.pause(signal);
  }
}
