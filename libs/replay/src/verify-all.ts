import type { EventLog, Position } from '#lib/event-store';
import type { WorkflowRegistry } from '#lib/workflow';
import type { ReplayReport } from './replay-report.js';
import { verifySession } from './verify-session.js';

const PAGE = 1000;

/** How a stream of each category is verified, by its id. */
interface Verifiers<Report> {
  readonly [category: string]: (id: string) => Promise<Report | undefined>;
}

/** Verifies every session of the log, as `verifyEach`. */
export function verifyAll(log: EventLog, workflows?: WorkflowRegistry): AsyncGenerator<ReplayReport> {
  return verifyEach(log, { session: (id) => verifySession(log, id, workflows) });
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
  let from: Position | undefined;
  for (;;) {
    const page = await log.store.readAll({ ...(from && { from }), limit: PAGE });
    for (const { stream } of page) {
      const name = log.streams.parse(stream);
      if (!name || seen.has(stream)) continue;
      seen.add(stream);
      const report = await verifiers[name.category]?.(name.id);
      if (report) yield report;
    }
    from = page.at(-1)?.position;
    if (page.length < PAGE) return;
  }
}
