import { type JsonObject, jsonText, type RecordedEvent, type Rejection } from '#lib/kernel';
import type {
  AlignmentScope,
  ContextExemplar,
  ExemplarImported,
  HumanOverrideAccepted,
  OpenProposal,
  SessionEvent,
} from '#lib/decisions/session';
import type { Handlers, Projection } from '../runner/projection.js';
import { flag, freeText, hidden, json, optional, time, uuid } from '../store/columns.js';
import type { Page, PageRequest } from '../store/page.js';
import { pageOfRows } from '../store/page-of-rows.js';
import { insertRow, insertRowOnce } from '../store/row-changes.js';
import type { Rows } from '../store/rows.js';
import type { Change } from '../store/statement.js';
import { storedText, storedUuid, textFromStored } from '../store/stored-values.js';
import { type InputOf, recordOf, type RecordOf, storedOf, table } from '../store/table.js';

/** Decisions of people. */
export const exemplarsTable = table(
  'exemplars_v3',
  {
    session_id: uuid,
    round_id: uuid,
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
  { session_id: uuid, session_meta_json: json<JsonObject>() },
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

/** A decision that a person took, and all proposals of its round. */
export type ExemplarRow = RecordOf<typeof exemplarsTable>;

/** Which exemplars are asked for. */
export interface ExemplarFilter {
  readonly machineName: string;
  readonly state?: string;
}

/** Newest first. */
export function listExemplars(
  db: Rows<'exemplars'>,
  filter: ExemplarFilter,
  request: PageRequest = {},
): Promise<Page<ExemplarRow> | Rejection> {
  return pageOfRows(request, {
    list: 'exemplars',
    rows: db
      .selectFrom('exemplars_v3')
      .selectAll()
      .where((eb) => eb.and(storedOf(exemplarsTable, filter))),
    table: exemplarsTable,
    by: 'position',
    order: 'desc',
    toItems: (rows) => rows.map((row) => recordOf(exemplarsTable, row)),
  });
}

/** The examples in the context of a proposer or an arbiter. */
export interface ExemplarQuestion {
  readonly machineName: string;
  readonly state: string;
  /** A session that no example may come from. */
  readonly exceptSessionId?: string;
}

const MOST_EXEMPLARS = 5;

/** Characters of all of them as JSON text. */
const MOST_TEXT = 32 * 1024;

/** The newest decisions of people in a state, newest first: at most 5, and 32 KiB of JSON text. */
export async function contextExemplars(
  db: Rows<'exemplars'>,
  { machineName, state, exceptSessionId }: ExemplarQuestion,
): Promise<readonly ContextExemplar[]> {
  let query = db
    .selectFrom('exemplars_v3 as decided')
    .leftJoin('exemplar_sessions_v3 as session', 'session.session_id', 'decided.session_id')
    .select(['decided.session_id', 'round_id', 'state', 'transition_name', 'to_state', 'reasoning'])
    .select(['meta_json', 'session_meta_json', 'decided_at'])
    .where('machine_name', '=', machineName)
    .where('state', '=', storedText(state));
  if (exceptSessionId !== undefined)
    query = query.where('decided.session_id', '<>', storedUuid(exceptSessionId));
  const rows = await query.orderBy('position', 'desc').limit(MOST_EXEMPLARS).execute();
  let left = MOST_TEXT;
  return rows
    .map(({ session_meta_json, state: stored, ...row }) => ({
      currentState: textFromStored(stored),
      ...recordOf(exemplarsTable, row),
      ...recordOf(exemplarSessionsTable, { session_meta_json }),
    }))
    .filter((example) => {
      const { length } = jsonText(example);
      if (length > left) return false;
      left -= length;
      return true;
    });
}
