import { statement } from '../store/statement.js';

/** Something happened in a session. */
export const touchSession = statement<{ sessionId: string; revision: number; updatedAt: number }>(
  (db, given) =>
    db
      .updateTable('sessions_v1')
      .set({ revision: given.revision, updated_at: given.updatedAt })
      .where('session_id', '=', given.sessionId),
);

/** A session went on to another state. A state that its machine does not have leads nowhere: it is at rest there. */
export const moveSession = statement<{
  sessionId: string;
  toState: string;
  roundId: string;
  revision: number;
  updatedAt: number;
}>((db, given) =>
  db
    .updateTable('sessions_v1')
    .set((eb) => ({
      current_state: given.toState,
      current_round_id: given.roundId,
      status: eb.fn.coalesce(
        eb
          .selectFrom('session_machine_states_v1 as known')
          .select('known.status')
          .whereRef('known.machine_hash', '=', 'sessions_v1.machine_hash')
          .where('known.state', '=', given.toState),
        eb.val('done'),
      ),
      revision: given.revision,
      updated_at: given.updatedAt,
    }))
    .where('session_id', '=', given.sessionId),
);
