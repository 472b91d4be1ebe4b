import type { JsonObject, RecordedEvent } from '#lib/kernel';
import type {
  AlignmentScope,
  ExemplarImported,
  HumanOverrideAccepted,
  OpenProposal,
  SessionEvent,
} from '#lib/session';
import type { Handlers, Projection } from '../runner/projection.js';
import { flag, freeText, hidden, json, optional, time } from '../store/columns.js';
import { insertRow, insertRowOnce } from '../store/row-changes.js';
import type { Change } from '../store/statement.js';
import { type InputOf, table } from '../store/table.js';

/** Decisions of people. */
export const exemplarsTable = table(
  'exemplars_v3',
  {
    session_id: 'text',
    round_id: 'text',
    machine_name: 'text',
    /** In which it was decided. */
    state: freeText,
    /** The person. */
    specialist_id: 'text',
    transition_name: freeText,
    to_state: freeText,
    reasoning: freeText,
    meta_json: optional(json<JsonObject>()),
    /** In the order they arrived. */
    proposals: json<readonly OpenProposal[]>(),
    /** It was decided elsewhere: session and round are not in the log. */
    imported: flag,
    decided_at: time,
    position: hidden('text'),
  },
  ['session_id', 'round_id'],
  [
    ['machine_name', 'position'],
    ['machine_name', 'state', 'position'],
  ],
);

/** The `metaJson` of sessions, and of imported decisions, that have one. */
export const exemplarSessionsTable = table(
  'exemplar_sessions_v3',
  { session_id: 'text', session_meta_json: json<JsonObject>() },
  ['session_id'],
);

const addExemplar = insertRow(exemplarsTable);
const addSession = insertRowOnce(exemplarSessionsTable);

const onSession: Handlers<SessionEvent> = {
  SessionCreated: ({ data: { metaJson } }, sessionId) => sessionRows(sessionId, metaJson),
  HumanOverrideAccepted: (event, sessionId) => {
    const { scope, roundId } = event.data;
    const from = { sessionId, roundId, decidedAt: event.occurredAt, imported: false };
    return scope ? [exemplarRow(event, scope, from)] : [];
  },
};

const onImport: Handlers<ExemplarImported> = {
  ExemplarImported: (event) => {
    const { exemplarId, scope, decidedAt, sessionMetaJson } = event.data;
    const from = { sessionId: exemplarId, roundId: exemplarId, decidedAt, imported: true };
    return [...sessionRows(exemplarId, sessionMetaJson), exemplarRow(event, scope, from)];
  },
};

function sessionRows(sessionId: string, sessionMetaJson: JsonObject | undefined): Change[] {
  return sessionMetaJson === undefined ? [] : [addSession({ sessionId, sessionMetaJson })];
}

function exemplarRow(
  { data, position }: RecordedEvent<HumanOverrideAccepted | ExemplarImported>,
  { machineName }: AlignmentScope,
  from: Pick<InputOf<typeof exemplarsTable>, 'sessionId' | 'roundId' | 'decidedAt' | 'imported'>,
): Change {
  return addExemplar({ ...data, ...from, machineName, state: data.fromState, position });
}

/** Decisions of people, as examples for prompts. */
export const exemplarsProjection: Projection<'exemplars'> = {
  name: 'exemplars',
  version: 3,
  tables: [exemplarsTable, exemplarSessionsTable],
  on: { session: onSession, exemplars: onImport },
};
