import type { EventLog, Position, StoredEvent } from '#lib/event-store';
import type { RecordedEvent } from '#lib/kernel';
import type { SessionEvent } from '#lib/decisions/session';
import { arbitrationRequests } from '#lib/decisions/arbitration';
import { solicitationRequests } from '#lib/decisions/solicitation';
import { mergedEvents, runsBelow } from '#lib/workflow';
import type { RunEvent, SolicitationEvent } from '#lib/summaries';
import { type Followed, followEvents } from './follow-events.js';

/** The events of a session's timeline: its own, and those of its solicitations and arbitrations, and of their children. */
export type TimelineEvent =
  | RecordedEvent<SessionEvent>
  | RecordedEvent<SolicitationEvent>
  | RecordedEvent<RunEvent>;

/** Every event of the timeline in log order, from the log alone. Empty if there is no such session. */
export async function sessionTimeline(log: EventLog, sessionId: string): Promise<readonly TimelineEvent[]> {
  const all: TimelineEvent[] = [];
  const merged = mergedEvents(log, [log.streams.of('session', sessionId)], runsOfSession);
  for await (const { event } of merged) all.push(event as TimelineEvent);
  return all;
}

const runsOfSession = runsBelow([solicitationRequests, arbitrationRequests]);

/**
 * Calls back with every event of the timeline in log order, from any process.
 * @param after the position after which it begins; `undefined`: the start of the log
 */
export function followTimeline(
  log: EventLog,
  sessionId: string,
  after: Position | undefined,
  tell: (event: TimelineEvent) => void,
): Followed {
  const streams = new Set([log.streams.of('session', sessionId)]);
  const note = (event: TimelineEvent) => {
    for (const { workflow, runId } of runsOfSession(event)) streams.add(log.streams.of(workflow, runId));
  };
  const take = async (stored: StoredEvent): Promise<void> => {
    if (!streams.has(stored.stream)) return;
    const event = (await log.decode(stored)) as TimelineEvent;
    note(event);
    tell(event);
  };
  return followEvents(log.store, after, take, async () => {
    // Runs that began before may still be open.
    for (const event of await sessionTimeline(log, sessionId)) note(event);
  });
}

/** A specialist that is asked in a round. */
interface Ask {
  readonly specialistId: string;
  readonly roundId: string;
}

const ID_LENGTH = 36;

/** The specialist and the round of each solicitation, each arbitration and their children, by the run's id. */
export class Asks {
  readonly #byId = new Map<string, Ask>();

  /** Call it with each event of a session, in log order: the session names an ask before its stream begins. */
  note(event: TimelineEvent): void {
    const { type, data } = event;
    const ask = this.of(event);
    if (type === 'ChildStarted' && ask) this.#byId.set(data.runId, ask);
    if (type === 'ProposalSolicited') this.#byId.set(data.solicitationId, data);
    if (type !== 'ArbitrationRequested') return;
    const { arbitrationId, roundId, arbiter } = data;
    this.#byId.set(arbitrationId, { specialistId: arbiter.specialistId, roundId });
  }

  /** The ask that the stream of an event belongs to; `undefined` for the session's own events. Names of streams end with the id. */
  of({ stream }: TimelineEvent): Ask | undefined {
    return this.#byId.get(stream.slice(-ID_LENGTH));
  }
}
