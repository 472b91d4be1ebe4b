import type { ReadReq } from '@eventstore/db-client/generated/streams_pb.js';
import type { StoredEvent } from '#lib/event-store';

/** The server looks at so many events of the log between checkpoints, times the interval asked for. */
const DEFAULT_WINDOW = 32;

export interface EventFilter {
  readonly passes: (event: StoredEvent) => boolean;
  /** Events scanned between two checkpoints; none for unfiltered reads. */
  readonly checkpointEvery: number;
}

export function eventFilter(options: ReadReq.Options): EventFilter {
  const filter = options.getFilter();
  if (!filter) return { passes: () => true, checkpointEvery: Infinity };
  const byStream = filter.getStreamIdentifier();
  const expression = byStream ?? filter.getEventType();
  const prefixes = expression?.getPrefixList() ?? [];
  const regex = new RegExp(expression?.getRegex() ?? '', 'u');
  const window = filter.hasMax() ? filter.getMax() : DEFAULT_WINDOW;
  return {
    passes: (event) => {
      const name = byStream ? event.stream : event.type;
      return prefixes.length > 0 ? prefixes.some((prefix) => name.startsWith(prefix)) : regex.test(name);
    },
    checkpointEvery: window * filter.getCheckpointintervalmultiplier(),
  };
}
