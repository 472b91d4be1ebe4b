import type { Rejection } from '#lib/kernel';
import type { ProposalRef } from '#lib/session';
import { type Page, pageOf, type PageRequest } from '../paging/page.js';
import { storedTime } from '../row/stored-time.js';
import { numberInKey } from '../paging/key-in-list.js';
import type { Rows } from '../store/rows.js';
import {
  type DecidedHow,
  type DecisionRecord,
  decisionRecord,
  type DecisionRow,
  proposalRef,
} from './decision-record.js';

/** The filters of a list of decisions. */
export interface DecisionFilter {
  readonly machineName?: string;
  readonly sessionId?: string;
  readonly how?: DecidedHow;
  /** ISO 8601: decided at or after this time. */
  readonly from?: string;
  /** ISO 8601: decided before this time. */
  readonly to?: string;
}

/** Newest first. @throws InvalidTime when `from` or `to` is no time. */
export function listDecisions(
  db: Rows<'decisions'>,
  filter: DecisionFilter = {},
  request: PageRequest = {},
): Promise<Page<DecisionRecord> | Rejection> {
  return pageOf(request, {
    list: 'decisions',
    read: (after, limit) => {
      const found = filteredDecisions(db, filter);
      const rest = after === undefined ? found : found.where('decision.position', '<', numberInKey(after));
      return rest.orderBy('decision.position', 'desc').limit(limit).execute();
    },
    keyOf: ({ position }) => `${position}`,
    toItems: async (rows) => {
      const proposals = await proposalsByRound(db, rows);
      return rows.map((row) => decisionRecord(row, proposals.get(roundKey(row)) ?? []));
    },
  });
}

function filteredDecisions(db: Rows<'decisions'>, filter: DecisionFilter) {
  const { machineName, sessionId, how, from, to } = filter;
  let query = db
    .selectFrom('decisions_v5 as decision')
    .leftJoin('decision_bases_v5 as basis', (join) =>
      join
        .onRef('basis.session_id', '=', 'decision.session_id')
        .onRef('basis.round_id', '=', 'decision.round_id'),
    )
    .selectAll('decision')
    .select(['basis.arbiter_id', 'basis.alignment', 'basis.specialist_id']);
  if (machineName !== undefined) query = query.where('decision.machine_name', '=', machineName);
  if (sessionId !== undefined) query = query.where('decision.session_id', '=', sessionId);
  if (how !== undefined) query = query.where('decision.how', '=', how);
  if (from !== undefined) query = query.where('decision.decided_at', '>=', storedTime(from));
  if (to !== undefined) query = query.where('decision.decided_at', '<', storedTime(to));
  return query;
}

/** A round's proposals stay as they are once it is decided: what comes later is late, and does not count. */
async function proposalsByRound(
  db: Rows<'decisions'>,
  decisions: readonly DecisionRow[],
): Promise<ReadonlyMap<string, readonly ProposalRef[]>> {
  const proposals = new Map<string, ProposalRef[]>();
  if (decisions.length === 0) return proposals;
  const rows = await db
    .selectFrom('proposals_v5')
    .selectAll()
    .where('session_id', 'in', [...new Set(decisions.map(({ session_id }) => session_id))])
    .where('is_counted', '=', 1)
    .where('round_id', 'in', [...new Set(decisions.map(({ round_id }) => round_id))])
    .orderBy('position')
    .execute();
  for (const row of rows) {
    const key = roundKey(row);
    proposals.set(key, [...(proposals.get(key) ?? []), proposalRef(row)]);
  }
  return proposals;
}

function roundKey({ session_id, round_id }: { readonly session_id: string; readonly round_id: string }) {
  return `${session_id}/${round_id}`;
}
