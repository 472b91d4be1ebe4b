import { Injectable } from '@nestjs/common';
import { SessionEvents } from '#lib/sessions';
import { EventLog, parsePosition, type Position, type StoredEvent } from '#lib/event-store';
import type { RecordedEvent } from '#lib/kernel';

/** The beginning of a tail. */
interface Start {
  readonly sessionId: string;
  /** Give only events after this position. */
  readonly after?: Position;
  /** Wait until the rows have reached this position. */
  readonly minPosition?: string;
}

const PAGE = 20;

/**
 * The events of a session and of its solicitations, first those that are there, then live. The head of the log at the
 * opening parts the two: what is there up to it is found through the rows, what comes after it in the log itself. So
 * nothing is lost or repeated between them, and the live part waits for no projection.
 */
@Injectable()
export class SessionTail {
  constructor(
    private readonly log: EventLog,
    private readonly events: SessionEvents,
  ) {}

  /**
   * Ends when the signal aborts, or the log closes.
   * @throws RejectionError for an unknown session; ForeignPosition | ProjectionBehind: before anything is given
   */
  async open(start: Start, signal: AbortSignal): Promise<AsyncGenerator<readonly RecordedEvent[]>> {
    const { sessionId, after, minPosition } = start;
    if (minPosition !== undefined) parsePosition(this.log.store.logId, minPosition);
    const head = await this.log.store.head();
    const reached = latest(head, minPosition);
    const first = await this.page(
      sessionId,
      { ...(after !== undefined && { afterPosition: after }) },
      reached,
    );
    return this.follow({ sessionId, head, liveAfter: latest(head, after) }, first, signal);
  }

  private async *follow(
    {
      sessionId,
      head = '',
      liveAfter,
    }: { sessionId: string; head?: string | undefined; liveAfter?: string | undefined },
    first: Awaited<ReturnType<SessionTail['page']>>,
    signal: AbortSignal,
  ): AsyncGenerator<readonly RecordedEvent[]> {
    let page = first;
    for (;;) {
      const old = page.items.filter(({ position }) => position <= head);
      yield old;
      if (signal.aborted || page.nextCursor === null || old.length < page.items.length) break;
      page = await this.page(sessionId, { cursor: page.nextCursor });
    }
    for await (const batch of this.log.store.subscribe(liveAfter as Position | undefined, signal)) {
      // One at a time: each may be large.
      for (const stored of batch) {
        if (this.isOfSession(sessionId, stored)) yield [await this.log.decode(stored)];
      }
    }
  }

  private page(
    sessionId: string,
    from: { readonly cursor?: string; readonly afterPosition?: string },
    minPosition?: string,
  ) {
    return this.events.page(sessionId, { ...from, limit: PAGE }, minPosition);
  }

  private isOfSession(sessionId: string, stored: StoredEvent): boolean {
    const { category, id } = this.log.streams.parse(stored.stream) ?? {};
    if (category !== 'solicitation' && category !== 'arbitration')
      return category === 'session' && id === sessionId;
    return this.log.codec.metadataOf(stored).correlationId === sessionId;
  }
}

/** Positions of one log compare as text. */
function latest(one: string | undefined, other: string | undefined): string | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return one > other ? one : other;
}
