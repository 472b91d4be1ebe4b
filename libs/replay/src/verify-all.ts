import type { EventLog, Position } from '#lib/event-store';
import type { WorkflowRegistry } from '#lib/workflow';
import type { ReplayReport } from './replay-report.js';
import { verifySession } from './verify-session.js';

const PAGE = 1000;

/**
 * Verifies every session of the log, in the order they first appear in it. It reads the log alone, no read model; a session
 * counts by any of its events, so that one whose beginning is gone is reported.
 */
export async function* verifyAll(log: EventLog, workflows?: WorkflowRegistry): AsyncGenerator<ReplayReport> {
  const seen = new Set<string>();
  let from: Position | undefined;
  for (;;) {
    const page = await log.store.readAll({ ...(from && { from }), limit: PAGE });
    for (const { stream } of page) {
      const name = log.streams.parse(stream);
      if (name?.category !== 'session' || seen.has(name.id)) continue;
      seen.add(name.id);
      const report = await verifySession(log, name.id, workflows);
      if (report) yield report;
    }
    from = page.at(-1)?.position;
    if (page.length < PAGE) return;
  }
}
