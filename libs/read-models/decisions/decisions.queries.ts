import { sql, type SqlBool } from 'kysely';
import type { ProposalRef } from '#lib/decisions/session';
import { type PageRequest } from '../store/page.js';
import { pageOfRows } from '../store/page-of-rows.js';
import type { Rows } from '../store/rows.js';
import { isWithin } from '../store/rows-that-fit.js';
import { recordOf, type RowOf, storedOf } from '../store/table.js';
import { isCounted } from './counted-proposals.js';
import { type DecidedHow, decisionsTable, decisionTotalsTable, proposalsTable } from './decisions.tables.js';

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

/**
 * Every executed transition with the basis of its decision (none for an operator's or a timer's) and the proposals of its round,
 * newest first. Those of forks are only in the list of their session.
 * @throws InvalidTime if `from` or `to` is not a time
 */
export function listDecisions(
  db: Rows<'sessions'>,
  { from, to, ...filter }: DecisionFilter = {},
  request: PageRequest = {},
) {
  return pageOfRows(request, {
    list: 'decisions',
    rows: db.selectFrom(`${decisionsTable.name} as decision` as const).selectAll('decision'),
    filter: {
      db,
      indexed: ['session_id', 'machine_name'],
      equal: storedOf(decisionsTable, filter),
      conditions: [
        ...isWithin('decision.decided_at', { from, to }),
        ...(filter.sessionId === undefined ? [sql<SqlBool>`decision.is_fork = 0`] : []),
      ],
    },
    table: decisionsTable,
    by: 'decision.number',
    order: 'desc',
    toItems: async (rows) => {
      const proposals = await proposalsOf(db, rows);
      return rows.map((row) => {
        const { basis, metaJson: _, decidedBy: __, ...decision } = recordOf(decisionsTable, row);
        return { ...decision, ...basis, proposals: proposals.get(row.number) ?? [] };
      });
    },
  });
}

/** The proposals that count in each decision, by its number. They never change: later proposals are late, and do not count. */
async function proposalsOf(
  db: Rows<'sessions'>,
  decisions: readonly Pick<RowOf<typeof decisionsTable>, 'number'>[],
): Promise<ReadonlyMap<number, readonly ProposalRef[]>> {
  const proposals = new Map<number, ProposalRef[]>();
  if (decisions.length === 0) return proposals;
  const rows = await db
    .selectFrom(`${decisionsTable.name} as decision` as const)
    .innerJoin(`${proposalsTable.name} as proposal` as const, isCounted)
    .select(['proposal_id', 'specialist_id', 'specialist_version'])
    .select(['proposal.is_human', 'proposal.transition_name', 'decision.number as of'])
    .where(
      'decision.number',
      'in',
      decisions.map(({ number }) => number),
    )
    .orderBy('proposal.number')
    .execute();
  for (const { of, ...row } of rows) {
    const known = proposals.get(of) ?? [];
    known.push(recordOf(proposalsTable, row));
    proposals.set(of, known);
  }
  return proposals;
}

/** The numbers of all decisions by author. */
export async function decisionsByKind(db: Rows<'sessions'>): Promise<ReadonlyMap<string, number>> {
  const rows = await db
    .selectFrom(decisionTotalsTable.name)
    .select(({ fn }) => ['kind', fn.sum('decisions').as('decisions')])
    .groupBy('kind')
    .execute();
  return new Map(rows.map(({ kind, decisions }) => [kind, Number(decisions)]));
}
