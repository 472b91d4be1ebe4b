import type { EventLog, Position } from '#lib/event-store';
import type { ReplayReport } from './replay-report.js';
import { verifySession } from './verify-session.js';

const PAGE = 1000;

/** Verifies every session of the log, in the order they were created. It reads the log alone, no read model. */
export async function* verifyAll(log: EventLog): AsyncGenerator<ReplayReport> {
  let from: Position | undefined;
  for (;;) {
    const page = await log.store.readAll({ ...(from && { from }), limit: PAGE });
    for (const { stream, revision } of page) {
      const name = revision === 0 ? log.streams.parse(stream) : undefined;
      const report = name?.category === 'session' ? await verifySession(log, name.id) : undefined;
      if (report) yield report;
    }
    from = page.at(-1)?.position;
    if (page.length < PAGE) return;
  }
}
