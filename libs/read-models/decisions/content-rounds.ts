import { type RawBuilder, sql, type SqlBool } from 'kysely';
import type { Rows } from '../store/rows.js';
import { storedTime, uuidFromStored } from '../store/stored-values.js';
import { sessionsTable } from '../sessions/sessions.tables.js';
import { decisionsTable, proposalsTable } from './decisions.tables.js';

/** `training`: rounds that people decided; `preferences`: those with another proposal by a model. */
export const CONTENT_DATASETS = ['training', 'preferences'] as const;

export type ContentDataset = (typeof CONTENT_DATASETS)[number];

/** The filter of rounds whose content is exported. Rounds of forks and of erased subjects are left out. */
export interface ContentFilter {
  readonly dataset: ContentDataset;
  /** ISO 8601: decided at or after this time. */
  readonly from?: string | undefined;
  /** ISO 8601: decided before this time. */
  readonly to?: string | undefined;
  readonly machineName?: string | undefined;
  /** The last position of the log that counts. */
  readonly position: string;
}

export interface ContentRound {
  readonly sessionId: string;
  /** The revision of the transition in the session's stream. */
  readonly revision: number;
}

const ROUNDS_AT_ONCE = 1_000;

/**
 * Page by page, session by session, oldest first, the rounds of a session in order.
 * @throws InvalidTime if `from` or `to` is not a time
 */
export async function* contentRounds(
  db: Rows<'sessions'>,
  filter: ContentFilter,
): AsyncGenerator<readonly ContentRound[]> {
  for (let place: readonly [number, number] = [-1, -1]; ;) {
    const rows = await roundsAfter(db, filter, place);
    const last = rows.at(-1);
    if (!last) return;
    yield rows.map((row) => ({ sessionId: uuidFromStored(row.session_id), revision: row.revision }));
    place = [last.session_number, last.decision_number];
  }
}

function roundsAfter(
  db: Rows<'sessions'>,
  { dataset, from, to, machineName, position }: ContentFilter,
  [session, decision]: readonly [number, number],
) {
  const conditions = [
    sql<SqlBool>`decision.position <= ${position}`,
    sql<SqlBool>`coalesce(session.erased, 0) = 0`,
    isContentRound(sql.lit(dataset)),
    ...(machineName === undefined ? [] : [sql<SqlBool>`session.machine_name = ${machineName}`]),
    ...(from === undefined ? [] : [sql<SqlBool>`decision.decided_at >= ${storedTime(from)}`]),
    ...(to === undefined ? [] : [sql<SqlBool>`decision.decided_at < ${storedTime(to)}`]),
  ];
  return db
    .selectFrom(`${sessionsTable.name} as session` as const)
    .innerJoin(`${decisionsTable.name} as decision` as const, 'decision.session_id', 'session.session_id')
    .select(['session.session_id', 'decision.revision'])
    .select(['session.number as session_number', 'decision.number as decision_number'])
    .where('session.number', '>=', session)
    .where((eb) => eb.or([eb('session.number', '>', session), eb('decision.number', '>', decision)]))
    .where((eb) => eb.and(conditions))
    .orderBy('session.number')
    .orderBy('decision.number')
    .limit(ROUNDS_AT_ONCE)
    .execute();
}

/**
 * Whether there is such a round, by the columns that erasure keeps.
 * @param dataset an expression
 * @param conditions on the row `decision`
 */
export function hasContentRound(
  dataset: RawBuilder<unknown>,
  conditions: RawBuilder<SqlBool>,
): RawBuilder<SqlBool> {
  return sql<SqlBool>`exists (select 1 from ${sql.table(decisionsTable.name)} as decision
    where ${conditions} and ${isContentRound(dataset)})`;
}

function isContentRound(dataset: RawBuilder<unknown>): RawBuilder<SqlBool> {
  return sql<SqlBool>`decision.is_human = 1 and decision.is_fork = 0 and (${dataset} = 'training' or exists (
    select 1 from ${sql.table(proposalsTable.name)} as proposal
    where proposal.session_id = decision.session_id and proposal.round_id = decision.round_id
      and proposal.is_human = 0 and proposal.status <> 'late' and proposal.number < decision.number
      and (proposal.transition_name <> decision.transition_name
        or (decision.is_edited = 1 and proposal.proposal_id = decision.winning_proposal_id))))`;
}
