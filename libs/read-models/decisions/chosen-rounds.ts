import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import { sha256 } from '#lib/kernel';
import type { Rows } from '../store/rows.js';
import { storedTime, storedUuid, textFromStored, uuidFromStored } from '../store/stored-values.js';
import { decisionsTable } from './decisions.tables.js';

/** The filter of decided rounds to ask about again. */
export interface ChosenRoundsFilter {
  readonly machineName: string;
  /** Only these sessions; default: all. */
  readonly sessionIds?: readonly string[];
  readonly states?: readonly string[];
  /** ISO 8601: decided at or after this time. */
  readonly from?: string;
  /** ISO 8601: decided before this time. */
  readonly to?: string;
  /** `people`: only decisions of people; default: of people and arbiters. */
  readonly decidedBy?: 'people' | 'any';
  readonly order?: 'newest' | 'oldest' | 'random';
  /** The seed of a random order: it draws the same rounds from the same rounds. */
  readonly seed?: string;
}

/** A decided round, and the revision of its begin. */
export interface ChosenRound {
  readonly sessionId: string;
  readonly roundId: string;
  /** The revision of the session's stream at which the round began. */
  readonly revision: number;
  readonly state: string;
  readonly transitionName: string;
  readonly toState: string;
  readonly decidedBy: string;
  readonly isHuman: boolean;
}

/** Rows that one statement reads. Other work of the process runs between two statements. */
const AT_ONCE = 1_000;
const SESSIONS_AT_ONCE = 100;
/** Rounds from which a random order draws: the newest. */
const MOST_DRAWN = 100_000;

/**
 * The decided rounds of a machine, without those of forks, about a subject, or decided by an operator or a timer; newest first
 * unless the filter has a seed.
 * @throws InvalidTime if `from` or `to` is not a time
 */
export async function chosenRounds(
  db: Rows<'sessions'>,
  filter: ChosenRoundsFilter,
  max: number,
): Promise<readonly ChosenRound[]> {
  const isDrawn = filter.order === 'random';
  const found = await numbersOf(db, filter, isDrawn ? MOST_DRAWN : max);
  const numbers = isDrawn ? drawn(found, filter.seed ?? '').slice(0, max) : found;
  const rounds: ChosenRound[] = [];
  for (let at = 0; at < numbers.length; at += AT_ONCE) {
    rounds.push(...(await roundsOf(db, numbers.slice(at, at + AT_ONCE))));
    await setImmediate();
  }
  return rounds;
}

/** An order that depends on the seed and the rounds alone. */
function drawn(numbers: readonly number[], seed: string): readonly number[] {
  const lots = numbers.map((number) => ({ number, lot: sha256(`${seed} ${number}`) }));
  return lots.toSorted((a, b) => (a.lot < b.lot ? -1 : 1)).map(({ number }) => number);
}

async function numbersOf(
  db: Rows<'sessions'>,
  filter: ChosenRoundsFilter,
  max: number,
): Promise<readonly number[]> {
  const isChosen = condition(filter);
  if (filter.sessionIds) return numbersIn(db, filter.sessionIds, { isChosen, max });
  const [after, order] = filter.order === 'oldest' ? (['>', 'asc'] as const) : (['<', 'desc'] as const);
  const numbers: number[] = [];
  for (let last: number | undefined; ; await setImmediate()) {
    let read = db
      .selectFrom(decisionsTable.name)
      .select(['number', 'from_state', 'decided_at', 'is_human', 'is_fork', 'has_subject'])
      .where('machine_name', '=', filter.machineName)
      .where('has_basis', '=', 1);
    if (last !== undefined) read = read.where('number', after, last);
    const rows = await read.orderBy('number', order).limit(AT_ONCE).execute();
    numbers.push(...rows.filter(isChosen).map(({ number }) => number));
    if (rows.length < AT_ONCE || numbers.length >= max) return numbers.slice(0, max);
    last = rows.at(-1)?.number;
  }
}

/** Newest first; if there are more than `max`, any of them. */
async function numbersIn(
  db: Rows<'sessions'>,
  sessionIds: readonly string[],
  { isChosen, max }: { readonly isChosen: (row: DecisionRow) => boolean; readonly max: number },
): Promise<readonly number[]> {
  const numbers: number[] = [];
  for (let at = 0; at < sessionIds.length && numbers.length < max; at += SESSIONS_AT_ONCE) {
    const rows = await db
      .selectFrom(decisionsTable.name)
      .select(['number', 'from_state', 'decided_at', 'is_human', 'is_fork', 'has_subject'])
      .where('session_id', 'in', sessionIds.slice(at, at + SESSIONS_AT_ONCE).map(storedUuid))
      .where('has_basis', '=', 1)
      .execute();
    numbers.push(...rows.filter(isChosen).map(({ number }) => number));
    await setImmediate();
  }
  return numbers.toSorted((a, b) => b - a).slice(0, max);
}

interface DecisionRow {
  readonly from_state: string;
  readonly decided_at: number;
  readonly is_human: number;
  readonly is_fork: number;
  readonly has_subject: number;
}

function condition(filter: ChosenRoundsFilter): (row: DecisionRow) => boolean {
  const { states, from, to, decidedBy } = filter;
  const inStates = states && new Set(states);
  const since = from === undefined ? -Infinity : storedTime(from);
  const before = to === undefined ? Infinity : storedTime(to);
  return ({ from_state, decided_at, is_human, is_fork, has_subject }) =>
    is_fork === 0 &&
    has_subject === 0 &&
    decided_at >= since &&
    decided_at < before &&
    (decidedBy !== 'people' || is_human === 1) &&
    (!inStates || inStates.has(textFromStored(from_state)));
}

/** In the order of the numbers. A round begins at the decision before it in its session; the first one begins with the session. */
async function roundsOf(db: Rows<'sessions'>, numbers: readonly number[]): Promise<readonly ChosenRound[]> {
  const rows = await db
    .selectFrom(`${decisionsTable.name} as decision` as const)
    .select(['number', 'session_id', 'round_id', 'from_state', 'transition_name', 'to_state'])
    .select(['decided_by', 'is_human'])
    .select((eb) =>
      eb
        .selectFrom(`${decisionsTable.name} as earlier` as const)
        .select(sql<number>`coalesce(max(earlier.revision), 0)`.as('revision'))
        .whereRef('earlier.session_id', '=', 'decision.session_id')
        .whereRef('earlier.number', '<', 'decision.number')
        .as('began'),
    )
    .where('number', 'in', numbers)
    .execute();
  const found = new Map(
    rows.map((row) => [
      row.number,
      {
        sessionId: uuidFromStored(row.session_id),
        roundId: uuidFromStored(row.round_id),
        revision: Number(row.began),
        state: textFromStored(row.from_state),
        transitionName: textFromStored(row.transition_name),
        toState: textFromStored(row.to_state),
        decidedBy: row.decided_by,
        isHuman: row.is_human === 1,
      },
    ]),
  );
  return numbers.flatMap((number) => found.get(number) ?? []);
}
