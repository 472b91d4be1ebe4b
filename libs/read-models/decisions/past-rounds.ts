import type { Rows } from '../store/rows.js';
import { exemplarsTable } from '../exemplars/exemplars.tables.js';
import { decisionsTable } from './decisions.tables.js';
import { textFromStored, uuidFromStored } from '../store/stored-values.js';

/** A round that was decided. */
export interface PastRound {
  readonly sessionId: string;
  readonly roundId: string;
  /** The state in which it was decided. */
  readonly state: string;
  /** The decision. */
  readonly transitionName: string;
  readonly toState: string;
}

/** Which decided rounds are asked for. */
export interface PastRoundsQuestion {
  readonly machineName: string;
  /** `exemplars` are what people decided, `decisions` what people and arbiters decided. */
  readonly against: 'exemplars' | 'decisions';
  /** How many at most. */
  readonly limit: number;
}

/** The decided rounds of a machine, the last one first, without those that an operator or a timer executed. */
export async function pastRounds(
  db: Rows<'exemplars' | 'sessions'>,
  question: PastRoundsQuestion,
): Promise<readonly PastRound[]> {
  const rows = await (question.against === 'exemplars' ? exemplars(db, question) : decisions(db, question));
  return rows.map((row) => ({
    sessionId: uuidFromStored(row.session_id),
    roundId: uuidFromStored(row.round_id),
    state: textFromStored(row.state),
    transitionName: textFromStored(row.transition_name),
    toState: textFromStored(row.to_state),
  }));
}

function exemplars(db: Rows<'exemplars'>, { machineName, limit }: PastRoundsQuestion) {
  return db
    .selectFrom(exemplarsTable.name)
    .select(['session_id', 'round_id', 'state', 'transition_name', 'to_state'])
    .where('machine_name', '=', machineName)
    .where('imported', '=', 0)
    .orderBy('number', 'desc')
    .limit(limit)
    .execute();
}

function decisions(db: Rows<'sessions'>, { machineName, limit }: PastRoundsQuestion) {
  return db
    .selectFrom(decisionsTable.name)
    .select(['session_id', 'round_id', 'from_state as state', 'transition_name', 'to_state'])
    .where('machine_name', '=', machineName)
    .where('has_basis', '=', 1)
    .where('is_fork', '=', 0)
    .orderBy('number', 'desc')
    .limit(limit)
    .execute();
}
