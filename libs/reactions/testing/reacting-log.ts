import { setTimeout as delay } from 'node:timers/promises';
import { EventCodec, EventLog, type EventStore, StreamNames } from '#lib/event-store';
import { derivedId, type Event, type RecordedEvent, randomIds } from '#lib/kernel';
import { LogReader, type ReadStore } from '#lib/read-models';
import type { LeaseHolder } from '#lib/workflow';
import { Origins } from '../origin.js';
import { type ReactionDelivery, reactionTo } from '../reaction.js';
import { reactionEventDefinitions } from '../reaction.events.js';
import { Reactions } from '../reactions.js';

/** Members of the first event of a session by which it is not live. */
interface Apart {
  readonly forkedFrom?: { readonly stream: string };
  readonly owner?: { readonly stream: string };
}
type Numbered = Event<'Numbered', Apart & { readonly n: number }>;

const numbered = {
  Numbered: {
    version: 1,
    members: { n: 'structure', forkedFrom: { stream: 'structure' }, owner: { stream: 'structure' } },
  },
} as const;

export const FORK: Apart = { forkedFrom: { stream: 'session-other' } };
export const EXPERIMENT: Apart = { owner: { stream: 'experiment-other' } };

/** So many that nothing is parked. */
const PAUSES = Array.from({ length: 30 }, (_, index) => 1_000 * 2 ** Math.min(index, 9));

/** The name of the reaction. */
export const NAME = 'counting';

/** A log of numbered events in sessions. */
export function numberedLog(store: EventStore): EventLog {
  return new EventLog(store, new EventCodec([reactionEventDefinitions, numbered]), new StreamNames());
}

/** The id of a session. */
export function sessionOf(name: string): string {
  return derivedId('00000000-0000-5000-8000-000000000000', name);
}

/** Adds the next event of a session: its number is its revision. @param apart why it is not live, if it is new */
export async function addNumbered(log: EventLog, sessionId: string, apart: Apart = {}): Promise<void> {
  const n = (await log.load(log.streams.of('session', sessionId))).revision + 1;
  await log.append(...appendOf(log, sessionId, n, [{ n, ...(n === 0 && apart) }]));
}

/** Adds the first events of a session. */
export async function addAll(log: EventLog, sessionId: string, count: number): Promise<void> {
  const all = Array.from({ length: count }, (_, n) => ({ n }));
  await log.append(...appendOf(log, sessionId, 0, all));
}

function appendOf(
  log: EventLog,
  sessionId: string,
  from: number,
  all: readonly Numbered['data'][],
): Parameters<typeof log.append<Numbered>> {
  const commandId = randomIds.next();
  const metadata = {
    commandId,
    causationId: commandId,
    occurredAt: '2026-01-02T03:04:05.000Z',
    correlationId: sessionId,
    actor: 'operator',
  };
  const events = all.map((data) => ({
    eventId: randomIds.next(),
    event: { type: 'Numbered' as const, data },
    metadata,
  }));
  return [log.streams.of('session', sessionId), from === 0 ? 'no-stream' : from - 1, events];
}

/** One process that reacts to each numbered event. */
export async function reacting(
  log: EventLog,
  store: ReadStore,
  holder: LeaseHolder,
  deliver: (event: RecordedEvent, delivery: ReactionDelivery) => Promise<void>,
  pauses: readonly number[] = PAUSES,
): Promise<Reactions> {
  await Reactions.prepare(store);
  const reactions = new Reactions({
    log,
    store,
    holder,
    time: holder.time,
    ids: randomIds,
    reader: new LogReader(log),
    origins: new Origins(log),
    redact: (text) => text,
    warn: () => undefined,
  });
  const reaction = reactionTo(new Set(['Numbered']), { name: NAME, pauses, deliver });
  await reactions.begin(reaction);
  reactions.start(reaction);
  return reactions;
}

/** Resolves after a turn of the event loop. */
export function turn(): Promise<void> {
  return delay(1);
}
