import type { SessionEvent } from '#lib/session';
import type { SolicitationEvent } from '#lib/solicitation';
import { storedTime } from '../row/stored-time.js';
import type { Handlers, Projection } from '../runner/projection.js';
import { insertRowOnce } from '../store/insert-row.js';
import { type Change, statement } from '../store/statement.js';
import { solicitationsTable } from './solicitations.table.js';

const addSolicitation = insertRowOnce(solicitationsTable);

const end = statement<{ solicitationId: string }>((db, given) =>
  db
    .updateTable('solicitations_v1')
    .set({ status: 'ended' })
    .where('solicitation_id', '=', given.solicitationId)
    .where('status', '=', 'open'),
);

const close = statement<{ solicitationId: string }>((db, given) =>
  db
    .updateTable('solicitations_v1')
    .set({ status: 'closed' })
    .where('solicitation_id', '=', given.solicitationId),
);

const onSession: Handlers<SessionEvent> = {
  ProposalSolicited: ({ data, occurredAt, position }, sessionId) => [
    addSolicitation({
      solicitation_id: data.solicitationId,
      session_id: sessionId,
      round_id: data.roundId,
      specialist_id: data.specialistId,
      status: 'open',
      solicited_at: storedTime(occurredAt),
      position,
    }),
  ],
  ProposalSubmitted: ({ data }) => closed(data.solicitationId),
  ProposalSetAside: ({ data }) => closed(data.solicitationId),
  ProposalFailed: ({ data }) => closed(data.solicitationId),
};

const onSolicitation: Handlers<SolicitationEvent> = {
  SolicitationSucceeded: (_event, solicitationId) => [end({ solicitationId })],
  SolicitationFailed: (_event, solicitationId) => [end({ solicitationId })],
};

function closed(solicitationId: string | undefined): Change[] {
  return solicitationId === undefined ? [] : [close({ solicitationId })];
}

/** Which proposers are being asked: what recovery goes through. */
export const solicitationsProjection: Projection<'solicitations'> = {
  name: 'solicitations',
  version: 1,
  tables: [solicitationsTable],
  on: { session: onSession, solicitation: onSolicitation },
};
