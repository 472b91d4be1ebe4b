import { idInStream } from '#lib/event-store';
import { type JsonObject, jsonText, parseJsonObject } from '#lib/kernel';

/**
 * Metadata for EventStoreDB's own tools: our ids a second time, as `$correlationId` and `$causationId`, before all other members. The rest stays to
 * the letter. An id that the event leaves out is taken from the name of the stream.
 */
export function withCorrelation(metadata: string, stream: string): string {
  const ids = metadata.startsWith('{') ? correlationOf(parseJsonObject(metadata), stream) : '';
  return ids === '' ? metadata : `{${ids}${metadata.slice(1)}`;
}

/** The metadata as it was given. Removes only the text that `withCorrelation` would add, so no other text is mistaken for it. */
export function withoutCorrelation(stored: string, stream: string): string {
  if (!stored.startsWith('{"$')) return stored;
  const ids = correlationOf(parseJsonObject(stored), stream);
  return ids !== '' && stored.startsWith(ids, 1) ? `{${stored.slice(1 + ids.length)}` : stored;
}

function correlationOf(metadata: JsonObject | undefined, stream: string): string {
  const own = metadata?.['occurredAt'] && idInStream(stream);
  const { correlationId = own, commandId = own, causationId = commandId } = metadata ?? {};
  return Object.entries({ correlationId, causationId })
    .map(([name, id]) => (typeof id === 'string' ? `"$${name}":${jsonText(id)},` : ''))
    .join('');
}
