import { jsonText } from '#lib/kernel';
import type { ContextExemplar } from '#lib/session';
import { jsonFromStored } from '../row/stored-json.js';
import { storedText } from '../row/stored-text.js';
import type { Rows } from '../store/rows.js';
import { exemplarOf, type ExemplarRow } from './exemplars.queries.js';

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
    .selectFrom('exemplars_v3')
    .leftJoin('exemplar_sessions_v3 as session', 'session.session_id', 'exemplars_v3.session_id')
    .selectAll('exemplars_v3')
    .select('session.session_meta_json')
    .where('machine_name', '=', machineName)
    .where('state', '=', storedText(state));
  if (exceptSessionId !== undefined) query = query.where('exemplars_v3.session_id', '<>', exceptSessionId);
  const rows = await query.orderBy('position', 'desc').limit(MOST_EXEMPLARS).execute();
  let left = MOST_TEXT;
  return rows
    .map((row) => asExample(exemplarOf(row), row.session_meta_json))
    .filter((example) => {
      const { length } = jsonText(example);
      if (length > left) return false;
      left -= length;
      return true;
    });
}

function asExample(decided: ExemplarRow, sessionMetaJson: string | null): ContextExemplar {
  const { sessionId, roundId, state, transitionName, toState, reasoning, metaJson, decidedAt } = decided;
  return {
    sessionId,
    roundId,
    currentState: state,
    transitionName,
    toState,
    reasoning,
    ...(metaJson !== undefined && { metaJson }),
    ...(sessionMetaJson !== null && { sessionMetaJson: jsonFromStored(sessionMetaJson) }),
    decidedAt,
  };
}
