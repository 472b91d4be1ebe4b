import { EventCodec, EventLog, type EventStore, type Position, type StreamNames } from '#lib/event-store';
import { ENGINE_ACTOR, randomIds, systemClock } from '#lib/kernel';
import { type LogCopied, sealEventDefinitions } from './seal.events.js';

/** The id of the stream in which a log names the logs from which it was copied. */
const COPIES = 'copies';

function logOf(store: EventStore, names: StreamNames): EventLog {
  return new EventLog(store, new EventCodec([sealEventDefinitions]), names);
}

/** The ids of other logs, and the position up to which the events of each were copied. */
export async function copiedFrom(
  store: EventStore,
  names: StreamNames,
): Promise<ReadonlyMap<string, Position>> {
  const marks = await logOf(store, names).readStream<LogCopied>(names.of('log', COPIES));
  return new Map(
    marks.flatMap(({ data: { copyOf, before }, position }) =>
      [copyOf, ...before].map((id) => [id, position as Position] as const),
    ),
  );
}

/** The position up to which events of another log were last copied; `undefined` for a log that is no copy. @throws StoreUnavailable */
export async function lastCopied(store: EventStore, names: StreamNames): Promise<Position | undefined> {
  const [mark] = await logOf(store, names).readStream<LogCopied>(names.of('log', COPIES), {
    direction: 'backwards',
    limit: 1,
  });
  return mark?.position as Position | undefined;
}

/**
 * Marks a log, up to its head, as the copy of another one, and of the logs from which that was copied. A copy that was cut off before its
 * mark gets it the next time. @throws StoreUnavailable
 */
export async function markCopy(
  target: EventStore,
  source: EventStore,
  names: StreamNames,
  copied: number,
): Promise<void> {
  if (copied === 0 && (await copiedFrom(target, names)).has(source.logId)) return;
  const before = [...(await copiedFrom(source, names)).keys()];
  const event: LogCopied = { type: 'LogCopied', data: { copyOf: source.logId, before } };
  const occurredAt = systemClock.now().toISOString();
  const commandId = randomIds.next();
  const made = { correlationId: target.logId, causationId: commandId, commandId, actor: ENGINE_ACTOR };
  const mark = { eventId: randomIds.next(), event, metadata: { occurredAt, ...made } };
  await logOf(target, names).append<LogCopied>(names.of('log', COPIES), 'any', [mark]);
}
