import type { Expression, ExpressionBuilder } from 'kysely';
import type { ReadSchema } from '../store/read-schema.js';
import { statement } from '../store/statement.js';
import type { RowOf } from '../store/table.js';
import type { sessionWaitsTable } from './sessions.tables.js';

/** Something happened in a session. */
export const touchSession = statement<{ sessionId: string; revision: number; updatedAt: number }>(
  (db, values) =>
    db
      .updateTable('sessions_v2')
      .set({ revision: values.revision, updated_at: values.updatedAt })
      .where('session_id', '=', values.sessionId),
);

/** A session moved to another state. */
export const moveSession = statement<{
  sessionId: string;
  toState: string;
  roundId: string;
  revision: number;
  updatedAt: number;
}>((db, values) =>
  db
    .updateTable('sessions_v2')
    .set((eb) => ({
      current_state: values.toState,
      current_round_id: values.roundId,
      status: statusIn(eb, eb.val(values.toState)),
      revision: values.revision,
      updated_at: values.updatedAt,
    }))
    .where('session_id', '=', values.sessionId),
);

/** A session waits for a person. */
export const awaitHuman = statement<{ sessionId: string; revision: number; updatedAt: number }>(
  (db, values) =>
    db
      .updateTable('sessions_v2')
      .set({ status: 'needs_human', revision: values.revision, updated_at: values.updatedAt })
      .where('session_id', '=', values.sessionId),
);

/** Something new was proposed: the session has the status of its state again. */
export const reopenSession = statement<{ sessionId: string; revision: number; updatedAt: number }>(
  (db, values) =>
    db
      .updateTable('sessions_v2')
      .set((eb) => ({
        status: statusIn(eb, eb.ref('sessions_v2.current_state')),
        revision: values.revision,
        updated_at: values.updatedAt,
      }))
      .where('session_id', '=', values.sessionId),
);

type Wait = Omit<RowOf<typeof sessionWaitsTable>, 'machine_name'>;

/** Refused where the session was never created. One that waits already waits for the newer reason. */
export const addWait = statement<Wait>((db, values) =>
  db
    .insertInto('session_waits_v2')
    .values({
      session_id: values.session_id,
      machine_name: db
        .selectFrom('sessions_v2')
        .select('machine_name')
        .where('session_id', '=', values.session_id),
      round_id: values.round_id,
      reason: values.reason,
      detail: values.detail,
      since: values.since,
      position: values.position,
    })
    .onConflict((conflict) =>
      conflict.column('session_id').doUpdateSet({
        round_id: values.round_id,
        reason: values.reason,
        detail: values.detail,
        since: values.since,
        position: values.position,
      }),
    ),
);

export const endWait = statement<{ sessionId: string }>((db, values) =>
  db.deleteFrom('session_waits_v2').where('session_id', '=', values.sessionId),
);

/** A session in a state that its machine does not have is at rest. */
function statusIn(eb: ExpressionBuilder<ReadSchema, 'sessions_v2'>, state: Expression<string>) {
  return eb.fn.coalesce(
    eb
      .selectFrom('session_machine_states_v2 as known')
      .select('known.status')
      .whereRef('known.machine_hash', '=', 'sessions_v2.machine_hash')
      .where('known.state', '=', state),
    eb.val('done'),
  );
}
