import { noPosition, Patience, type StoredEvent } from '#lib/event-store';
import type { Connection } from './connection.js';
import { mayPass } from './grpc-failure.js';
import { LogReplaced } from './server-errors.js';
import type { OwnLog } from './own-log.js';
import { isInvalidPlace } from './place-probe.js';
import { type WirePosition, wirePosition, subscriptionRequest } from './read-request.js';
import { type FeedWatch, SubscriptionFeed } from './subscription-feed.js';
import { unavailable } from './unavailable.js';

interface Following {
  readonly connection: Connection;
  readonly log: OwnLog;
  /** The longest silence of a server that looks for events. */
  readonly silenceMs: number;
  readonly signal: AbortSignal;
  /** Called when a call has ended, before the next one is made after this position. */
  readonly onTrouble?: (cause: unknown, sequence: bigint) => void;
}

/** Scanning a gap of this many bytes takes longer than a new call. */
const WORTH_A_CALL = 16_777_216n;

/**
 * The events of this log after a position, and an empty batch once all existing ones have come; then new events. If a call breaks, the next one
 * continues after the last position that was reached, so no event is lost and none comes twice. Parts that are known to have no event of this log are
 * skipped. Tries without limit, with pauses, as long as the failure may be temporary.
 * @throws StoreUnavailable if repeating cannot help: refused credentials, a server too old
 * @throws ForeignPosition if there is no event at the position
 */
export async function* followServer(
  following: Following,
  after: bigint,
): AsyncGenerator<readonly StoredEvent[]> {
  const { connection, log, signal, silenceMs } = following;
  const patience = new Patience(Infinity);
  let sequence = after;
  let caughtUp = false;
  while (!signal.aborted) {
    sequence = log.progress.skip(sequence);
    const request = subscriptionRequest(log.prefix, wirePosition(sequence));
    const feed = new SubscriptionFeed(
      connection,
      log.logId,
      request,
      progressOf(log, sequence, patience),
      silenceMs,
    );
    try {
      let taken = await feed.take(signal);
      for (; !signal.aborted && taken.ended === undefined; taken = await feed.take(signal)) {
        if (taken.reached) sequence = BigInt(taken.reached.commit);
        const events = taken.events.filter(log.isOurs);
        if (events.length > 0) yield events;
        if (taken.caughtUp && !caughtUp) yield [];
        caughtUp ||= taken.caughtUp;
        if (log.progress.skip(sequence) - sequence > WORTH_A_CALL) break;
      }
      if (taken.ended === undefined) continue;
      if (isInvalidPlace(taken.ended)) throw noPosition(log.logId, sequence);
      if (!mayPass(taken.ended) && !(taken.ended instanceof LogReplaced)) {
        throw unavailable('cannot follow', connection.server, taken.ended);
      }
      following.onTrouble?.(taken.ended, sequence);
    } finally {
      feed.cancel();
    }
    await patience.pause(signal);
  }
}

/** The watch that reports the progress of a feed, which starts after `from`, to the log. */
function progressOf(log: OwnLog, from: bigint, patience: Patience): FeedWatch {
  const passed = ({ commit }: WirePosition) => {
    patience.reset();
    log.progress.passed(from, BigInt(commit));
    log.onProgress();
  };
  return {
    onEvent: (event, sequence) => {
      if (log.isOurs(event)) log.progress.saw(BigInt(sequence.commit), event.eventId);
      passed(sequence);
    },
    onCheckpoint: passed,
  };
}
