import { jsonText } from '#lib/kernel';
import type { SessionEvent } from '#lib/session';
import { storedJson } from '../row/stored-json.js';
import { storedText } from '../row/stored-text.js';
import { storedTime } from '../row/stored-time.js';
import type { Handlers, Projection } from '../runner/projection.js';
import { insertRow, insertRowOnce } from '../store/insert-row.js';
import { exemplarSessionsTable, exemplarsTable } from './exemplars.table.js';

const addExemplar = insertRow(exemplarsTable);
const addSession = insertRowOnce(exemplarSessionsTable);

const onSession: Handlers<SessionEvent> = {
  SessionCreated: ({ data: { metaJson } }, sessionId) =>
    metaJson === undefined
      ? []
      : [addSession({ session_id: sessionId, session_meta_json: jsonText(metaJson) })],
  HumanOverrideAccepted: ({ data, occurredAt, position }, sessionId) =>
    !data.scope
      ? []
      : [
          addExemplar({
            session_id: sessionId,
            round_id: data.roundId,
            machine_name: data.scope.machineName,
            state: storedText(data.fromState),
            specialist_id: data.specialistId,
            transition_name: storedText(data.transitionName),
            to_state: storedText(data.toState),
            reasoning: storedText(data.reasoning),
            meta_json: storedJson(data.metaJson),
            proposals: jsonText(data.proposals),
            decided_at: storedTime(occurredAt),
            position,
          }),
        ],
};

/** Decisions of people, as examples for prompts. */
export const exemplarsProjection: Projection<'exemplars'> = {
  name: 'exemplars',
  version: 2,
  tables: [exemplarsTable, exemplarSessionsTable],
  on: { session: onSession },
};
