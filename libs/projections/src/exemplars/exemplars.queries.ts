import { jsonText, type Rejection } from '#lib/kernel';
import type { ContextExemplar } from '#lib/session';
import { type Page, type PageRequest, pageOfRows } from '../store/page.js';
import { given, type Rows } from '../store/rows.js';
import { storedText, textFromStored } from '../store/stored-values.js';
import { recordOf, type RecordOf } from '../store/table.js';
import { exemplarSessionsTable, exemplarsTable } from './exemplars.read-model.js';

/** A decision that a person took, and what everybody proposed. */
export type ExemplarRow = RecordOf<typeof exemplarsTable>;

/** Which exemplars are asked for. */
export interface ExemplarFilter {
  readonly machineName: string;
  readonly state?: string;
}

/** Newest first. */
export function listExemplars(
  db: Rows<'exemplars'>,
  { machineName, state }: ExemplarFilter,
  request: PageRequest = {},
): Promise<Page<ExemplarRow> | Rejection> {
  const filter = { machine_name: machineName, state: state === undefined ? state : storedText(state) };
  return pageOfRows(request, {
    list: 'exemplars',
    rows: db
      .selectFrom('exemplars_v3')
      .selectAll()
      .where((eb) => eb.and(given(filter))),
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

/** Of all of them as JSON text, in characters. */
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
  if (exceptSessionId !== undefined) query = query.where('decided.session_id', '<>', exceptSessionId);
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
