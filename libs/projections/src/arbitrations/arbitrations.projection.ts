import type { SessionEvent } from '#lib/session';
import { storedTime } from '../row/stored-time.js';
import type { Handlers, Projection } from '../runner/projection.js';
import { insertRowOnce } from '../store/insert-row.js';
import { type Change, statement } from '../store/statement.js';
import { openArbitrationsTable } from './arbitrations.table.js';

const addArbitration = insertRowOnce(openArbitrationsTable);

const removeArbitration = statement<{ arbitrationId: string }>((db, given) =>
  db.deleteFrom('open_arbitrations_v1').where('arbitration_id', '=', given.arbitrationId),
);

/** An arbiter whose rules the session knows closes what was never open: no row is there to go. */
function closed({ data }: { readonly data: { readonly arbitrationId: string } }): Change[] {
  return [removeArbitration({ arbitrationId: data.arbitrationId })];
}

const onSession: Handlers<SessionEvent> = {
  ArbitrationRequested: ({ data, occurredAt, position }, sessionId) => [
    addArbitration({
      arbitration_id: data.arbitrationId,
      session_id: sessionId,
      round_id: data.roundId,
      arbiter_id: data.arbiter.specialistId,
      requested_at: storedTime(occurredAt),
      position,
    }),
  ],
  ConsensusReached: closed,
  ConsensusNotReached: closed,
  VerdictSetAside: closed,
  ArbitrationFailed: closed,
};

/** Which arbiters are being asked: what recovery goes through. */
export const arbitrationsProjection: Projection<'arbitrations'> = {
  name: 'arbitrations',
  version: 1,
  tables: [openArbitrationsTable],
  on: { session: onSession },
};
