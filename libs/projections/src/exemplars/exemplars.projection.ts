import { type JsonObject, jsonText, type RecordedEvent } from '#lib/kernel';
import type { AlignmentScope, ExemplarImported, HumanOverrideAccepted, SessionEvent } from '#lib/session';
import { storedJson } from '../row/stored-json.js';
import { storedText } from '../row/stored-text.js';
import { storedTime } from '../row/stored-time.js';
import type { Handlers, Projection } from '../runner/projection.js';
import { insertRow, insertRowOnce } from '../store/insert-row.js';
import type { Change } from '../store/statement.js';
import { exemplarSessionsTable, exemplarsTable } from './exemplars.table.js';

const addExemplar = insertRow(exemplarsTable);
const addSession = insertRowOnce(exemplarSessionsTable);

const onSession: Handlers<SessionEvent> = {
  SessionCreated: ({ data: { metaJson } }, sessionId) => sessionRows(sessionId, metaJson),
  HumanOverrideAccepted: (event, sessionId) => {
    const { scope, roundId } = event.data;
    const from = { sessionId, roundId, decidedAt: event.occurredAt, imported: 0 } as const;
    return scope ? [exemplarRow(event, scope, from)] : [];
  },
};

const onImport: Handlers<ExemplarImported> = {
  ExemplarImported: (event) => {
    const { exemplarId, scope, decidedAt, sessionMetaJson } = event.data;
    const from = { sessionId: exemplarId, roundId: exemplarId, decidedAt, imported: 1 } as const;
    return [...sessionRows(exemplarId, sessionMetaJson), exemplarRow(event, scope, from)];
  },
};

interface Origin {
  readonly sessionId: string;
  readonly roundId: string;
  readonly decidedAt: string;
  readonly imported: 0 | 1;
}

function sessionRows(sessionId: string, metaJson: JsonObject | undefined): Change[] {
  return metaJson === undefined
    ? []
    : [addSession({ session_id: sessionId, session_meta_json: jsonText(metaJson) })];
}

function exemplarRow(
  { data, position }: RecordedEvent<HumanOverrideAccepted | ExemplarImported>,
  { machineName }: AlignmentScope,
  { sessionId, roundId, decidedAt, imported }: Origin,
): Change {
  return addExemplar({
    session_id: sessionId,
    round_id: roundId,
    machine_name: machineName,
    state: storedText(data.fromState),
    specialist_id: data.specialistId,
    transition_name: storedText(data.transitionName),
    to_state: storedText(data.toState),
    reasoning: storedText(data.reasoning),
    meta_json: storedJson(data.metaJson),
    proposals: jsonText(data.proposals),
    imported,
    decided_at: storedTime(decidedAt),
    position,
  });
}

/** Decisions of people, as examples for prompts. */
export const exemplarsProjection: Projection<'exemplars'> = {
  name: 'exemplars',
  version: 3,
  tables: [exemplarsTable, exemplarSessionsTable],
  on: { session: onSession, exemplars: onImport },
};
