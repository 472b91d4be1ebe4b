import type { Rejection } from '#lib/kernel';
import { type Page, pageOf, type PageRequest } from '../paging/page.js';
import { timeFromStored } from '../row/stored-time.js';
import type { Rows } from '../store/rows.js';

/** A solicitation that its session does not know the end of. */
export interface OpenSolicitationRecord {
  readonly solicitationId: string;
  readonly sessionId: string;
  readonly roundId: string;
  readonly specialistId: string;
  /** `ended`: its own stream has the result, and only the session was not told. */
  readonly status: 'open' | 'ended';
  /** ISO 8601, UTC. */
  readonly solicitedAt: string;
}

/** Oldest first. */
export function listOpenSolicitations(
  db: Rows<'solicitations'>,
  request: PageRequest = {},
): Promise<Page<OpenSolicitationRecord> | Rejection> {
  return pageOf(request, {
    list: 'open-solicitations',
    read: (after, limit) => {
      const open = db.selectFrom('solicitations_v1').selectAll().where('status', 'in', ['open', 'ended']);
      const rest = after === undefined ? open : open.where('position', '>', after);
      return rest.orderBy('position').limit(limit).execute();
    },
    keyOf: (row) => row.position,
    toItems: (rows) =>
      rows.map((row) => ({
        solicitationId: row.solicitation_id,
        sessionId: row.session_id,
        roundId: row.round_id,
        specialistId: row.specialist_id,
        status: row.status as OpenSolicitationRecord['status'],
        solicitedAt: timeFromStored(row.solicited_at),
      })),
  });
}
