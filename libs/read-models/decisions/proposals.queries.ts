import { type RawBuilder, sql } from 'kysely';
import type { Rejection } from '#lib/kernel';
import type { ProposalStatus, ProposalView } from '#lib/decisions/session';
import { type Page, type PageRequest } from '../store/page.js';
import { pageOfRows } from '../store/page-of-rows.js';
import type { Rows } from '../store/rows.js';
import { recordOf, storedOf } from '../store/table.js';
import { decisionsTable, proposalsTable } from './decisions.tables.js';

/** The proposals of a session, or of one of its rounds, in the order they arrived. */
export function listProposals(
  db: Rows<'sessions'>,
  filter: { readonly sessionId: string; readonly roundId?: string },
  request: PageRequest = {},
): Promise<Page<ProposalView> | Rejection> {
  return pageOfRows(request, {
    list: `proposals of session ${filter.sessionId}`,
    rows: db
      .selectFrom(proposalsTable.name)
      .selectAll()
      .select(statusNow().as('status_now'))
      .where((eb) => eb.and(storedOf(proposalsTable, filter))),
    table: proposalsTable,
    by: 'number',
    toItems: (rows) =>
      rows.map(({ status_now: status, ...row }) => ({ ...recordOf(proposalsTable, row), status })),
  });
}

/** The status of a counting proposal follows from the next decision of its session. Rows of proposals must be named by their table. */
export function statusNow(): RawBuilder<ProposalStatus> {
  const [proposal, decision] = [sql.table(proposalsTable.name), sql.table(decisionsTable.name)];
  return sql<ProposalStatus>`case when ${proposal}.status <> 'open' then ${proposal}.status else coalesce((
    select case when ${decision}.winning_proposal_id = ${proposal}.proposal_id then 'won' else 'lost' end
    from ${decision}
    where ${decision}.session_id = ${proposal}.session_id and ${decision}.number > ${proposal}.number
    order by ${decision}.number limit 1), 'open') end`;
}
