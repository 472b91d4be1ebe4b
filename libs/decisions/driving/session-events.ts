import { Inject, Injectable } from '@nestjs/common';
import { EventLog } from '#lib/event-store';
import type { ActivityCallEvent } from '#lib/call-rules';
import { type RecordedEvent } from '#lib/kernel';
import { type Moment, orRefused, type PastMoment, READ_STORE, ReadSide, refuse } from '#lib/operations';
import {
  type EventLocation,
  listOfSession,
  listSessionEvents,
  type Page,
  type PageRequest,
  type ReadStore,
} from '#lib/read-models';
import { type SessionEvent, sessionRejections } from '#lib/decisions/session';
import { eventNamed, type ShownData, type Summarized, summarized, wholePage } from '#lib/summaries';
import type { FallbackTaken } from '#lib/decisions/solicitation';
import type { RuntimeEvent } from '#lib/workflow';

/**
 * An event of a session, or of a run that it asked for, by `type`. A proposer with a workflow of the application adds the events
 * of that workflow, so a `switch` over `type` needs a `default`.
 */
export type SessionLogEvent = RecordedEvent<SessionEvent | RuntimeEvent | FallbackTaken | ActivityCallEvent>;

/** The streams of a session and of its runs. */
const STREAMS = ['session', 'solicitation', 'arbitration'];

/** Events that are read at once. */
const LOCATIONS = 100;

/** The whole events of sessions and of their runs, in log order. */
@Injectable()
export class SessionEvents {
  constructor(
    private readonly log: EventLog,
    private readonly reads: ReadSide,
    @Inject(READ_STORE) private readonly store: ReadStore,
  ) {}

  /** @throws RejectionError for an unknown session, and a cursor of another list; ForeignPosition | ProjectionBehind */
  async page(
    sessionId: string,
    request: PageRequest & ShownData & { readonly event?: string },
    moment: Moment | PastMoment,
  ): Promise<Page<Summarized<SessionLogEvent>>> {
    const { event } = request;
    const streams = { id: sessionId, categories: STREAMS };
    return moment.ask(['session_events'], (db) =>
      listOfSession(db, sessionId, () =>
        event === undefined
          ? listSessionEvents(db, { sessionId }, request, (found) =>
              summarized(readAt(moment.log, found), request),
            )
          : wholePage(eventNamed<SessionLogEvent>(moment.log, event, streams), request),
      ),
    );
  }

  /**
   * The events after a position, each read when it is taken.
   * @throws RejectionError for an unknown session; ForeignPosition | ProjectionBehind: before the first event
   */
  async each(
    sessionId: string,
    afterPosition: string | undefined,
    minPosition?: string,
  ): Promise<AsyncGenerator<SessionLogEvent>> {
    await this.#checkReadable(sessionId, minPosition);
    return this.#each({ sessionId, ...(afterPosition !== undefined && { afterPosition }) });
  }

  async *#each(which: Which): AsyncGenerator<SessionLogEvent> {
    for (let cursor: string | null | undefined; cursor !== null;) {
      const request = { limit: LOCATIONS, ...(cursor !== undefined && { cursor }) };
      const page: Page<EventLocation> = await this.#locations(which, request);
      yield* readAt(this.log, page.items);
      cursor = page.nextCursor;
    }
  }

  async #locations(which: Which, request: PageRequest): Promise<Page<EventLocation>> {
    return orRefused(await listSessionEvents(this.store.db, which, request, (found) => found));
  }

  async #checkReadable(sessionId: string, minPosition: string | undefined): Promise<void> {
    await this.reads.waitForOwnWrites(['session_events'], minPosition);
    const [first] = await this.log.store.readStream(this.log.streams.of('session', sessionId), { limit: 1 });
    if (!first) refuse(sessionRejections.unknownSession(sessionId));
  }
}

/** Rows give the places; the events come from the log, one read for each sequence of neighbours in a stream. */
async function* readAt(log: EventLog, locations: readonly EventLocation[]): AsyncGenerator<SessionLogEvent> {
  for (const { name, revision, count } of runsOf(locations))
    yield* log.each<SessionLogEvent>(log.streams.withPrefix(name), revision, count);
}

type Which = Parameters<typeof listSessionEvents>[1];

interface Run extends EventLocation {
  readonly count: number;
}

function runsOf(locations: readonly EventLocation[]): readonly Run[] {
  return locations.reduce<readonly Run[]>((runs, { name, revision }) => {
    const last = runs.at(-1);
    if (last?.name !== name || last.revision + last.count !== revision)
      return [...runs, { name, revision, count: 1 }];
    return [...runs.slice(0, -1), { ...last, count: last.count + 1 }];
  }, []);
}
