import { jsonText, type Rejection } from '#lib/kernel';
import type {
  AlignmentScope,
  ContextExemplar,
  ExemplarImported,
  HumanOverrideAccepted,
  SessionEvent,
} from '#lib/decisions/session';
import { type Folds, type NumberedEvent, type Page, type ReadModel } from '../loop/declare.js';
import { sessionsTable } from '../sessions/sessions.tables.js';
import { exemplars, exemplarsTable } from './exemplars.tables.js';
import { type Page as PageOf, type PageRequest } from '../store/page.js';
import { pageOfRows } from '../store/page-of-rows.js';
import type { Rows } from '../store/rows.js';
import { storedText, storedTime, storedUuid, textFromStored } from '../store/stored-values.js';
import { type InputOf, recordOf, type RecordOf, storedOf } from '../store/table.js';

type From = Pick<
  InputOf<typeof exemplarsTable>,
  'sessionId' | 'roundId' | 'decidedAt' | 'imported' | 'sessionMetaJson'
>;

const onSession: Folds<SessionEvent> = {
  HumanOverrideAccepted: (page, event, sessionId) => {
    const { scope, roundId } = event.data;
    const from = { sessionId, roundId, decidedAt: event.occurredAt, imported: false };
    const { copied, keyId } = event.metadata;
    // Content about a subject is not shown to other sessions.
    if (scope && !copied && keyId === undefined) addExemplar(page, event, scope, from);
  },
};

const onImport: Folds<ExemplarImported> = {
  ExemplarImported: (page, event) => {
    const { exemplarId, scope, decidedAt, sessionMetaJson } = event.data;
    const from = { sessionId: exemplarId, roundId: exemplarId, decidedAt, sessionMetaJson, imported: true };
    addExemplar(page, event, scope, from);
  },
};

function addExemplar(
  page: Page,
  { data, number }: NumberedEvent<HumanOverrideAccepted | ExemplarImported>,
  { machineName }: AlignmentScope,
  from: From,
): void {
  page.add(exemplars, { ...data, ...from, machineName, state: data.fromState, number });
}

/** Decisions of people, as examples for prompts. */
export const exemplarsModel: ReadModel<'exemplars'> = {
  name: 'exemplars',
  kinds: [exemplars],
  sees: ['sessions'],
  on: { session: onSession, exemplars: onImport },
};

/** A person's decision, and all proposals of its round. */
export type ExemplarRow = RecordOf<typeof exemplarsTable>;

interface ExemplarFilter {
  readonly machineName: string;
  readonly state?: string;
}

/** Newest first. */
export function listExemplars(
  db: Rows<'exemplars'>,
  filter: ExemplarFilter,
  request: PageRequest = {},
): Promise<PageOf<ExemplarRow> | Rejection> {
  return pageOfRows(request, {
    list: 'exemplars',
    rows: db
      .selectFrom(exemplarsTable.name)
      .selectAll()
      .where((eb) => eb.and(storedOf(exemplarsTable, filter))),
    table: exemplarsTable,
    by: 'number',
    order: 'desc',
    toItems: (rows) => rows.map((row) => recordOf(exemplarsTable, row)),
  });
}

/** The filter of the examples for a proposer or an arbiter. */
interface ExemplarQuestion {
  readonly machineName: string;
  readonly state: string;
  /** A session whose decisions are left out. */
  readonly exceptSessionId?: string;
  /** Only decisions up to this time (ISO 8601), and not of this round. */
  readonly until?: { readonly time: string; readonly roundId: string };
}

const MOST_EXEMPLARS = 5;

/** Characters of all examples as JSON text. */
const MOST_TEXT = 32 * 1024;

/** The newest decisions of people in a state, newest first: at most 5, and 32 KiB of JSON text. */
export async function contextExemplars(
  db: Rows<'exemplars' | 'sessions'>,
  { machineName, state, exceptSessionId, until }: ExemplarQuestion,
): Promise<readonly ContextExemplar[]> {
  let query = db
    .selectFrom(`${exemplarsTable.name} as decided` as const)
    .leftJoin(`${sessionsTable.name} as session` as const, 'session.session_id', 'decided.session_id')
    .select(['decided.session_id', 'round_id', 'state', 'transition_name', 'to_state', 'reasoning'])
    .select(['decided.meta_json', 'session_meta_json', 'session.meta_json as of_session', 'decided_at'])
    .where('decided.machine_name', '=', machineName)
    .where('state', '=', storedText(state));
  if (exceptSessionId !== undefined)
    query = query.where('decided.session_id', '<>', storedUuid(exceptSessionId));
  if (until)
    query = query
      .where('decided_at', '<=', storedTime(until.time))
      .where('round_id', '<>', storedUuid(until.roundId));
  const rows = await query.orderBy('decided.number', 'desc').limit(MOST_EXEMPLARS).execute();
  let left = MOST_TEXT;
  return rows
    .map(({ session_meta_json: imported, of_session, state: stored, ...row }) => {
      const { metaJson } = recordOf(sessionsTable, { meta_json: imported ?? of_session });
      return {
        currentState: textFromStored(stored),
        ...recordOf(exemplarsTable, row),
        ...(metaJson && { sessionMetaJson: metaJson }),
      };
    })
    .filter((example) => {
      const { length } = jsonText(example);
      if (length > left) return false;
      left -= length;
      return true;
    });
}
