import { sql, type SqlBool } from 'kysely';
import type { Rejection } from '#lib/kernel';
import { type Items, type Page, numbersInKey, pageOf, type PageRequest } from '../store/page.js';
import type { Rows } from '../store/rows.js';
import { isWithin } from '../store/rows-that-fit.js';
import { textFromStored, uuidFromStored } from '../store/stored-values.js';
import { sessionsTable } from '../sessions/sessions.tables.js';
import { decisionsTable } from './decisions.tables.js';

/** A round with an executed transition. */
export interface DecidedRound {
  readonly sessionId: string;
  readonly roundId: string;
  /** The revision of the transition in the session's stream. */
  readonly revision: number;
  /** The state in which it was decided. */
  readonly state: string;
  readonly transitionName: string;
  /** A specialist, "default", "operator" or "timer". */
  readonly decidedBy: string;
  readonly isHuman: boolean;
  /** The place in the list: that of the session, and that of the round. */
  readonly place: readonly number[];
}

/** The filter of decided rounds. */
export interface DecidedRoundsFilter {
  readonly machineName: string;
  /** ISO 8601: decided at or after this time. */
  readonly from?: string | undefined;
  /** ISO 8601: decided before this time. */
  readonly to?: string | undefined;
}

/** Rounds that one statement reads. */
const ROUNDS_AT_ONCE = 1_000;

/**
 * The decided rounds of a machine, without those of forks and of erased subjects: session by session, oldest first, the rounds of
 * a session in order.
 * @param mostRounds the largest limit
 * @param toItems gives one item for each round, in their order
 * @throws InvalidTime if `from` or `to` is not a time
 */
export function decidedRounds<Item>(
  db: Rows<'sessions'>,
  filter: DecidedRoundsFilter,
  request: PageRequest & { readonly mostRounds: number },
  toItems: (rounds: readonly DecidedRound[]) => Items<Item | undefined>,
): Promise<Page<Item> | Rejection> {
  return pageOf<DecidedRound, Item>(request, {
    list: `decided rounds of machine ${filter.machineName}`,
    read: (after, limit) => roundsAfter(db, filter, after === undefined ? [] : numbersInKey(after), limit),
    keyOf: ({ place }) => place.join('.'),
    toItems,
    rowsAtOnce: ROUNDS_AT_ONCE,
    mostItems: request.mostRounds,
  });
}

async function roundsAfter(
  db: Rows<'sessions'>,
  { machineName, from, to }: DecidedRoundsFilter,
  [session = -1, decision = -1]: readonly number[],
  limit: number,
): Promise<readonly DecidedRound[]> {
  const rows = await db
    .selectFrom(`${sessionsTable.name} as session` as const)
    .innerJoin(`${decisionsTable.name} as decision` as const, 'decision.session_id', 'session.session_id')
    .select(['session.session_id', 'decision.round_id', 'decision.revision', 'decision.from_state'])
    .select(['decision.transition_name', 'decision.decided_by', 'decision.is_human'])
    .select(['session.number as session_number', 'decision.number as decision_number'])
    .where('session.machine_name', '=', machineName)
    .where('session.number', '>=', session)
    .where((eb) => eb.or([eb('session.number', '>', session), eb('decision.number', '>', decision)]))
    .where('decision.is_fork', '=', 0)
    .where(sql<SqlBool>`coalesce(session.erased, 0) = 0`)
    .where((eb) => eb.and([sql<SqlBool>`true`, ...isWithin('decision.decided_at', { from, to })]))
    .orderBy('session.number')
    .orderBy('decision.number')
    .limit(limit)
    .execute();
  return rows.map((row) => ({
    sessionId: uuidFromStored(row.session_id),
    roundId: uuidFromStored(row.round_id),
    revision: row.revision,
    state: textFromStored(row.from_state),
    transitionName: textFromStored(row.transition_name),
    decidedBy: row.decided_by,
    isHuman: row.is_human === 1,
    place: [row.session_number, row.decision_number],
  }));
}
