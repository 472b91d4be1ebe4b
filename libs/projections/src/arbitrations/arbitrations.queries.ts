import type { Rejection } from '#lib/kernel';
import { type Page, pageOf, type PageRequest } from '../paging/page.js';
import { timeFromStored } from '../row/stored-time.js';
import type { Rows } from '../store/rows.js';

/** An arbitration that its session does not know the end of. */
export interface OpenArbitrationRecord {
  readonly arbitrationId: string;
  readonly sessionId: string;
  readonly roundId: string;
  readonly arbiterId: string;
  /** ISO 8601, UTC. */
  readonly requestedAt: string;
}

/** Oldest first. */
export function listOpenArbitrations(
  db: Rows<'arbitrations'>,
  request: PageRequest = {},
): Promise<Page<OpenArbitrationRecord> | Rejection> {
  return pageOf(request, {
    list: 'open-arbitrations',
    read: (after, limit) => {
      const open = db.selectFrom('open_arbitrations_v1').selectAll();
      const rest = after === undefined ? open : open.where('position', '>', after);
      return rest.orderBy('position').limit(limit).execute();
    },
    keyOf: (row) => row.position,
    toItems: (rows) =>
      rows.map((row) => ({
        arbitrationId: row.arbitration_id,
        sessionId: row.session_id,
        roundId: row.round_id,
        arbiterId: row.arbiter_id,
        requestedAt: timeFromStored(row.requested_at),
      })),
  });
}
