import { type EventLog, KeyMissing, type Position, type StoredEvent } from '#lib/event-store';
import { ownMember } from '#lib/kernel';
import type { WorkflowRegistry } from '#lib/workflow';
import { ReadAhead, type ReplayedLog, type ReplayReport } from '#lib/runs/runs/core';
import { verifySession } from '#lib/decisions/driving/core';
import type { LogRange } from './log-ranges.js';

/** How a stream of each category is verified, by its id. */
interface Verifiers<Report> {
  readonly [category: string]: (log: ReplayedLog, id: string) => Promise<Report | undefined>;
}

/** Verifies every session of the log, as `verifyEach`. */
export function verifyAll(log: EventLog, workflows?: WorkflowRegistry): AsyncGenerator<ReplayReport> {
  return verifyEach(log, { session: (read, id) => verifySession(read, id, workflows) });
}

/**
 * Verifies every stream of these categories whose first event lies in the range, in the order of these events. It reads the log alone, no
 * read model. If the beginning of a stream is gone, its first remaining event counts.
 * @throws KeyMissing for the first stream whose key is missing, after all others are verified
 */
export async function* verifyEach<Report>(
  log: EventLog,
  verifiers: Verifiers<Report>,
  range: LogRange = {},
): AsyncGenerator<Report> {
  const missing: KeyMissing[] = [];
  for await (const verify of begunIn(log, verifiers, range)) {
    const report = await verify().catch((error: unknown) => {
      if (!(error instanceof KeyMissing)) throw error;
      missing.push(error);
    });
    if (report) yield report;
  }
  if (missing[0]) throw missing[0];
}

/** How each stream that begins in the range is verified. */
async function* begunIn<Report>(
  log: EventLog,
  verifiers: Verifiers<Report>,
  { after, upTo }: LogRange,
): AsyncGenerator<() => Promise<Report | undefined>> {
  const firsts = new Map<string, Position | undefined>();
  const ahead = new ReadAhead(log);
  for await (const page of ahead.pages(after)) {
    for (const event of page) {
      const { stream, position } = event;
      if (upTo !== undefined && position > upTo) return;
      const { category, id } = log.streams.parse(stream) ?? {};
      const verify = ownMember(verifiers, category ?? '');
      if (!verify || id === undefined) continue;
      if (!firsts.has(stream)) firsts.set(stream, await firstOf(log, event));
      if (firsts.get(stream) === position) yield () => verify(ahead.log, id);
    }
  }
}

/** The position of the first event of the stream of this event. */
async function firstOf({ store }: EventLog, { stream, revision, position }: StoredEvent) {
  if (revision === 0) return position;
  const [first] = await store.readStream(stream, { limit: 1 });
  return first?.position;
}
