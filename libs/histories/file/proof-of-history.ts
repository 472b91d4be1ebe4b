import { currentReading, type EventLog, UndecodableEvent } from '#lib/event-store';
import { RedialError } from '#lib/kernel';
import { type Provable, proofOf, SealedEventMissing, type SealedLog, type SealProof } from '#lib/seals/core';
import type { HistoryPlan } from './history-plan.js';
import { inLogOrder } from './in-log-order.js';

/** Keeps the first line of a history file below the bound of a line. */
const MOST_PROVED = 10_000;
/** The bytes of an event's path, as text and about as objects. */
const PATH_BYTES = 2_000;

/** A history has too many events for a proof. */
export class ProofTooLarge extends RedialError {
  override readonly answer = { status: 422, code: 'proof-too-large' };
}

/**
 * The proof in a history file. `undefined` for a history with too many events, and if seals are damaged: a damaged log can still
 * be exported. @throws StoreUnavailable
 */
export async function sealOfHistory(sealed: SealedLog, plan: HistoryPlan): Promise<SealProof | undefined> {
  if (!isProvable(plan)) return undefined;
  return proofOfHistory(sealed, plan).catch((error: unknown) => {
    if (error instanceof SealedEventMissing || error instanceof UndecodableEvent) return undefined;
    throw error;
  });
}

/** Whether a history has few enough events for a proof. */
function isProvable({ streams }: HistoryPlan): boolean {
  return eventsOf(streams) <= MOST_PROVED;
}

function eventsOf(streams: HistoryPlan['streams']): number {
  return streams.reduce((sum, { events }) => sum + events, 0);
}

/**
 * The proof of every event of a history; `undefined` if the log has no seal. @throws ProofTooLarge @throws StoreUnavailable
 * @throws SealedEventMissing
 */
export async function proofOfHistory(sealed: SealedLog, plan: HistoryPlan): Promise<SealProof | undefined> {
  if (!isProvable(plan)) throw tooLarge(plan);
  await currentReading()?.needs(eventsOf(plan.streams) * PATH_BYTES);
  return proofOf(sealed, provableIn(sealed.log, plan));
}

function tooLarge({ root: { kind, id } }: HistoryPlan): ProofTooLarge {
  const why = `it has more than ${MOST_PROVED} events`;
  return new ProofTooLarge(`the proof of ${kind} ${id}`, why, 'Verify the log with redial verify');
}

async function* provableIn(log: EventLog, { streams }: HistoryPlan): AsyncGenerator<Provable> {
  for await (const { stream, revision, position } of inLogOrder(log, streams))
    yield { stream: log.streams.withoutPrefix(stream), revision, position };
}
