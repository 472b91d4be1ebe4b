import type { EventLog } from '#lib/event-store';
import { ownMember } from '#lib/kernel';
import type { WorkflowRegistry } from '#lib/workflow';
import { ReadAhead, type ReplayedLog } from '#lib/runs/runs/core';
import type { ReplayReport } from '#lib/runs/runs/core';
import { verifySession } from '#lib/decisions/driving/core';

/** How a stream of each category is verified, by its id. */
interface Verifiers<Report> {
  readonly [category: string]: (log: ReplayedLog, id: string) => Promise<Report | undefined>;
}

/** Verifies every session of the log, as `verifyEach`. */
export function verifyAll(log: EventLog, workflows?: WorkflowRegistry): AsyncGenerator<ReplayReport> {
  return verifyEach(log, { session: (read, id) => verifySession(read, id, workflows) });
}

/**
 * Verifies every stream of these categories, in the order they first appear in the log. It reads the log alone, no read model; a
 * stream counts by any of its events, so that one whose beginning is gone is reported.
 */
export async function* verifyEach<Report>(
  log: EventLog,
  verifiers: Verifiers<Report>,
): AsyncGenerator<Report> {
  const seen = new Set<string>();
  const ahead = new ReadAhead(log);
  for await (const page of ahead.pages()) {
    for (const { stream } of page) {
      const { category, id } = log.streams.parse(stream) ?? {};
      const verify = ownMember(verifiers, category ?? '');
      if (!verify || id === undefined || seen.has(stream)) continue;
      seen.add(stream);
      const report = await verify(ahead.log, id);
      if (report) yield report;
    }
  }
}
