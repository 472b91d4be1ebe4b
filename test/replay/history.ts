import {
  EventLog,
  type EventStore,
  type EventToStore,
  InMemoryEventStore,
  StreamNames,
} from '#lib/event-store';
import { eventCatalogue } from '#lib/engine';
import { verifyEvaluation } from '#lib/histories';
import type { ReplayTotals } from '#lib/runs/runs';
import { verifySession } from '#lib/decisions/driving';

/** A session with its solicitations and arbitrations, perhaps evaluated, stream by stream, as the store keeps them. */
export interface History {
  readonly sessionId: string;
  /** Of an evaluation against the session's rounds. */
  readonly evaluationId?: string;
  readonly events: readonly HistoryEvent[];
}

export interface HistoryEvent extends EventToStore {
  readonly stream: string;
}

/** Every event of a store, in log order; of sessions that a fork was made from none. */
export async function historyOf(
  store: EventStore,
  sessionId: string,
  evaluationId?: string,
): Promise<History> {
  const events = await store.readAll({ limit: 10_000 });
  const own = events.filter(({ stream }) =>
    /_(session|solicitation|arbitration|due_times|evaluation|experiment|experiment_batch)-/.test(stream),
  );
  const isOther = (stream: string) => stream.includes('_session-') && !stream.endsWith(sessionId);
  return {
    sessionId,
    ...(evaluationId !== undefined && { evaluationId }),
    events: own
      .filter(({ stream }) => evaluationId !== undefined || !isOther(stream))
      .map(({ stream, eventId, type, data, metadata }) => ({
        stream,
        eventId,
        type,
        data,
        metadata,
      })),
  };
}

/** The result of verifying all of a history again; `undefined` if its session is missing. */
export async function replayHistory(history: History): Promise<ReplayTotals | undefined> {
  const log = await logOf(history.events);
  const { sessionId, evaluationId } = history;
  const session = await verifySession(log, sessionId);
  const evaluation = evaluationId === undefined ? undefined : await verifyEvaluation(log, evaluationId);
  if (!session || !evaluation) return session;
  return {
    ...session,
    identical: session.identical && evaluation.identical,
    divergences: [...session.divergences, ...evaluation.divergences],
  };
}

/** The events of a history in a log of their own. */
export async function logOf(
  events: readonly HistoryEvent[],
  catalogue = eventCatalogue(),
): Promise<EventLog> {
  const store = new InMemoryEventStore();
  for (const { stream, ...event } of events) await store.append(stream, 'any', [event]);
  return new EventLog(store, catalogue, new StreamNames());
}
