import type { EventLog } from '#lib/event-store';
import type { Event, RecordedEvent } from '#lib/kernel';

/** The streams of a session or a conversation: its own, and those of runs that it asked for. */
interface StreamsOf {
  readonly id: string;
  readonly categories: readonly string[];
}

/** The stream and the revision in `<stream>@<revision>`. */
export function placeNamed(name: string): { readonly stream: string; readonly revision: number } {
  const at = name.lastIndexOf('@');
  return { stream: name.slice(0, at), revision: Number(name.slice(at + 1)) };
}

/** The event with this name; none if it does not exist, or is of another session, run or conversation. */
export async function* eventNamed<E extends Event>(
  log: EventLog,
  name: string,
  { id, categories }: StreamsOf,
): AsyncGenerator<RecordedEvent<E>> {
  const { stream, revision } = placeNamed(name);
  const parsed = log.streams.parse(stream);
  if (!parsed || !categories.includes(parsed.category)) return;
  if (parsed.id !== id && (await correlationOf(log, stream)) !== id) return;
  yield* log.each<E>(stream, revision, 1);
}

/** The correlation id of a run is the id of the session or conversation that asked for it. */
async function correlationOf(log: EventLog, stream: string): Promise<string | undefined> {
  for await (const { metadata } of log.each(stream, 0, 1)) return metadata.correlationId;
  return undefined;
}
