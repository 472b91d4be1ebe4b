import { Inject } from '@nestjs/common';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { EventLog } from '#lib/event-store';
import { isRejection, type RecordedEvent } from '#lib/kernel';
import { ReadSide, RejectionError } from '#lib/operations';
import { type EventPlace, listSessionEvents, type Page, type ReadStore } from '#lib/projections';
import { sessionRejections } from '#lib/session';
import { READ_STORE } from '../module/read-store.token.js';
import { SessionEventsQuery } from './session-events.query.js';

@QueryHandler(SessionEventsQuery)
export class SessionEventsHandler implements IQueryHandler<SessionEventsQuery> {
  constructor(
    private readonly log: EventLog,
    private readonly reads: ReadSide,
    @Inject(READ_STORE) private readonly store: ReadStore,
  ) {}

  async execute({ sessionId, page: asked, minPosition }: SessionEventsQuery): Promise<Page<RecordedEvent>> {
    await this.reads.reached(['session_events'], minPosition);
    await this.checkExists(sessionId);
    const { afterPosition, ...request } = asked;
    const places = await listSessionEvents(
      this.store.db,
      { sessionId, ...(afterPosition !== undefined && { afterPosition }) },
      request,
    );
    if (isRejection(places)) throw new RejectionError(places);
    return { items: await this.read(places.items), nextCursor: places.nextCursor };
  }

  private async checkExists(sessionId: string): Promise<void> {
    const [first] = await this.log.store.readStream(this.log.streams.of('session', sessionId), { limit: 1 });
    if (!first) throw new RejectionError(sessionRejections.unknownSession(sessionId));
  }

  /** The rows name places; the bodies come from the log, one read for each run of neighbours in a stream. */
  private async read(places: readonly EventPlace[]): Promise<readonly RecordedEvent[]> {
    const events: RecordedEvent[] = [];
    for (const { stream, revision: from, count } of runsOf(places)) {
      events.push(...(await this.log.readStream(stream, { from, limit: count })));
    }
    return events;
  }
}

interface Run {
  readonly stream: string;
  readonly revision: number;
  readonly count: number;
}

function runsOf(places: readonly EventPlace[]): readonly Run[] {
  return places.reduce<readonly Run[]>((runs, { stream, revision }) => {
    const last = runs.at(-1);
    if (last?.stream !== stream || last.revision + last.count !== revision)
      return [...runs, { stream, revision, count: 1 }];
    return [...runs.slice(0, -1), { ...last, count: last.count + 1 }];
  }, []);
}
