import type { SessionStatus, SessionView } from '#lib/session';
import { jsonFromStored } from '../row/stored-json.js';
import { textFromStored } from '../row/stored-text.js';
import { timeFromStored } from '../row/stored-time.js';
import type { RowOf } from '../store/table.js';
import type { Histories } from './session-histories.js';
import type { sessionsTable } from './sessions.tables.js';

/** A session without its machine. */
export type SessionSummary = Omit<SessionView, 'machine'>;

export function sessionSummary(row: RowOf<typeof sessionsTable>, histories: Histories): SessionSummary {
  return {
    sessionId: row.session_id,
    machineName: row.machine_name,
    ...(row.machine_version !== null && { machineVersion: row.machine_version }),
    machineHash: row.machine_hash,
    currentState: textFromStored(row.current_state),
    currentRoundId: row.current_round_id,
    status: row.status as SessionStatus,
    history: histories.get(row.session_id) ?? [],
    ...(row.meta_json !== null && { metaJson: jsonFromStored(row.meta_json) }),
    createdAt: timeFromStored(row.created_at),
    updatedAt: timeFromStored(row.updated_at),
    revision: row.revision,
  };
}
