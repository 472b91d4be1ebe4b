import { formatPosition } from '#lib/event-store';
import type { ProposalRef } from '#lib/decisions/session';
import { numberInKey, type PageRequest } from '../store/page.js';
import { pageOfRows } from '../store/page-of-rows.js';
import type { Rows } from '../store/rows.js';
import { isWithin } from '../store/rows-that-fit.js';
import { storedUuid } from '../store/stored-values.js';
import { pick, recordOf, type RecordOf, storedOf } from '../store/table.js';
import { type DecidedHow, decisionBasesTable, decisionsTable } from './decisions.tables.js';
import { proposalsTable } from './proposals.read-model.js';

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
 * Every executed transition with the basis of its decision (none for an operator's) and the proposals of its round, newest first.
 * @throws InvalidTime when `from` or `to` is not a time
 */
export function listDecisions(
  db: Rows<'decisions'>,
  { from, to, ...filter }: DecisionFilter = {},
  request: PageRequest = {},
) {
  return pageOfRows(request, {
    list: 'decisions',
    rows: decisionsWithBases(db),
    filter: {
      db,
      indexed: ['session_id', 'machine_name'],
      equal: storedOf(decisionsTable, filter),
      conditions: isWithin('decision.decided_at', { from, to }),
    },
    table: decisionsTable,
    by: 'decision.position',
    readKey: numberInKey,
    order: 'desc',
    toItems: async (rows) => {
      const decisions = rows.map((row) => ({
        ...recordOf(decisionsTable, row),
        ...(recordOf(decisionBasesTable, pick(row, BASIS)) as Partial<Basis>),
        position: formatPosition(row.log_id, row.position),
      }));
      const proposals = await proposalsByRound(db, decisions);
      return decisions.map((one) => ({ ...one, proposals: proposals.get(roundKey(one)) ?? [] }));
    },
  });
}

const BASIS = ['arbiter_id', 'alignment', 'specialist_id'] as const;
type Basis = Pick<RecordOf<typeof decisionBasesTable>, 'arbiterId' | 'specialistId' | 'alignment'>;

function decisionsWithBases(db: Rows<'decisions'>) {
  return db
    .selectFrom('decisions_v5 as decision')
    .leftJoin('decision_bases_v5 as basis', (join) =>
      join
        .onRef('basis.session_id', '=', 'decision.session_id')
        .onRef('basis.round_id', '=', 'decision.round_id'),
    )
    .selectAll('decision')
    .select(['basis.arbiter_id', 'basis.alignment', 'basis.specialist_id']);
}

/** A round's proposals stay as they are once it is decided: what comes later is late, and does not count. */
async function proposalsByRound(
  db: Rows<'decisions'>,
  decisions: readonly Round[],
): Promise<ReadonlyMap<string, readonly ProposalRef[]>> {
  const proposals = new Map<string, ProposalRef[]>();
  if (decisions.length === 0) return proposals;
  const rows = await db
    .selectFrom('proposals_v5')
    .select(['proposal_id', 'specialist_id', 'specialist_version', 'is_human', 'transition_name'])
    .select(['session_id', 'round_id'])
    .where('session_id', 'in', distinct(decisions.map(({ sessionId }) => sessionId)))
    .where('is_counted', '=', 1)
    .where('round_id', 'in', distinct(decisions.map(({ roundId }) => roundId)))
    .orderBy('position')
    .execute();
  for (const row of rows) {
    const { sessionId, roundId, ...proposal } = recordOf(proposalsTable, row);
    const key = roundKey({ sessionId, roundId });
    proposals.set(key, [...(proposals.get(key) ?? []), proposal]);
  }
  return proposals;
}

function distinct(ids: readonly string[]): readonly Buffer[] {
  return [...new Set(ids)].map(storedUuid);
}

interface Round {
  readonly sessionId: string;
  readonly roundId: string;
}

function roundKey({ sessionId, roundId }: Round): string {
  return `${sessionId}/${roundId}`;
}
