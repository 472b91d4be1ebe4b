import { type Event, jsonText, type RecordedEvent } from '#lib/kernel';

/** Events as a log would give them back: one stream, revisions from 0, data through its JSON text. */
export function recordedEvents<E extends Event>(events: readonly E[], stream = 'stream'): RecordedEvent<E>[] {
  return events.map((event, revision) => {
    const occurredAt = '2026-01-02T03:04:05.678Z';
    const eventId = `event-${revision}`;
    const known = { occurredAt, correlationId: 'c', causationId: 'c', commandId: 'c', actor: 'redial' };
    const place = { eventId, schemaVersion: 1, stream, revision, position: `log.${revision}`, occurredAt };
    const metadata = { schemaVersion: 1, ...known };
    return JSON.parse(
      jsonText({ type: event.type, data: event.data, ...place, metadata }),
    ) as RecordedEvent<E>;
  });
}
