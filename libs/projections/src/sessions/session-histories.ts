import type { TransitionRecord } from '#lib/session';
import { jsonFromStored } from '../row/stored-json.js';
import { textFromStored } from '../row/stored-text.js';
import { timeFromStored } from '../row/stored-time.js';
import type { Rows } from '../store/rows.js';
import type { RowOf } from '../store/table.js';
import type { sessionsTable, sessionTransitionsTable } from './sessions.tables.js';

/** Executed transitions by session, in order. */
export type Histories = ReadonlyMap<string, readonly TransitionRecord[]>;

type TransitionRow = RowOf<typeof sessionTransitionsTable>;

/**
 * The histories that belong to these rows. What was added after a row was read is left out, so a session and its history are
 * of one moment without a transaction around both.
 */
export async function readHistories(
  db: Rows<'sessions'>,
  sessions: readonly Pick<RowOf<typeof sessionsTable>, 'session_id' | 'revision'>[],
): Promise<Histories> {
  const histories = new Map<string, TransitionRecord[]>();
  if (sessions.length === 0) return histories;
  const revisions = new Map(sessions.map((session) => [session.session_id, session.revision]));
  const rows = await db
    .selectFrom('session_transitions_v2')
    .selectAll()
    .where('session_id', 'in', [...revisions.keys()])
    .orderBy('session_id')
    .orderBy('revision')
    .execute();
  for (const row of rows) {
    if (row.revision > (revisions.get(row.session_id) ?? -1)) continue;
    const history = histories.get(row.session_id);
    if (history) history.push(transitionRecord(row));
    else histories.set(row.session_id, [transitionRecord(row)]);
  }
  return histories;
}

function transitionRecord(row: TransitionRow): TransitionRecord {
  return {
    transitionName: textFromStored(row.transition_name),
    fromState: textFromStored(row.from_state),
    toState: textFromStored(row.to_state),
    reasoning: textFromStored(row.reasoning),
    ...(row.meta_json !== null && { metaJson: jsonFromStored(row.meta_json) }),
    isHuman: row.is_human === 1,
    decidedBy: row.decided_by,
    ...(row.proposal_id !== null && { proposalId: row.proposal_id }),
    executionTimestamp: timeFromStored(row.executed_at),
  };
}
