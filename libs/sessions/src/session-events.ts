import { Inject, Injectable } from '@nestjs/common';
import { EventLog } from '#lib/event-store';
import type { ActivityCallEvent } from '#lib/calls';
import { isRejection, type RecordedEvent } from '#lib/kernel';
import { ReadSide } from '#lib/operations';
import { READ_STORE, refuse } from '#lib/operations';
import {
  type EventLocation,
  listSessionEvents,
  type Page,
  type PageRequest,
  type ReadStore,
} from '#lib/projections';
import { type SessionEvent, sessionRejections } from '#lib/session';
import type { FallbackTaken } from '#lib/solicitation';
import type { RuntimeEvent } from '#lib/workflow';

/**
 * An event of a session, or of a run that it asked for; `type` tells them apart. A proposer that runs a workflow of the application
 * adds the events of that workflow, so a `switch` over `type` needs a `default`.
 */
export type SessionLogEvent = RecordedEvent<SessionEvent | RuntimeEvent | FallbackTaken | ActivityCallEvent>;

/** The events of sessions and of what they asked, in log order, whole. */
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
    { limit, cursor, afterPosition }: PageRequest & { readonly afterPosition?: string },
    minPosition?: string,
  ): Promise<Page<SessionLogEvent>> {
    await this.reads.waitForOwnWrites(['session_events'], minPosition);
    await this.checkExists(sessionId);
    const locations = await listSessionEvents(
      this.store.db,
      { sessionId, ...(afterPosition !== undefined && { afterPosition }) },
      { ...(limit !== undefined && { limit }), ...(cursor !== undefined && { cursor }) },
    );
    if (isRejection(locations)) return refuse(locations);
    return { items: await this.read(locations.items), nextCursor: locations.nextCursor };
  }

  private async checkExists(sessionId: string): Promise<void> {
    const [first] = await this.log.store.readStream(this.log.streams.of('session', sessionId), { limit: 1 });
    if (!first) refuse(sessionRejections.unknownSession(sessionId));
  }

  /** The rows name locations; the bodies come from the log, one read for each run of neighbours in a stream. */
  private async read(locations: readonly EventLocation[]): Promise<readonly SessionLogEvent[]> {
    const events: SessionLogEvent[] = [];
    for (const { name, revision: from, count } of runsOf(locations)) {
      const stream = this.log.streams.withPrefix(name);
      events.push(...(await this.log.readStream<SessionLogEvent>(stream, { from, limit: count })));
    }
    return events;
  }
}

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
