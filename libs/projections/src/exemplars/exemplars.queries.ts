import type { JsonObject, Rejection } from '#lib/kernel';
import type { OpenProposal } from '#lib/session';
import { type Page, pageOf, type PageRequest } from '../paging/page.js';
import { jsonFromStored } from '../row/stored-json.js';
import { storedText, textFromStored } from '../row/stored-text.js';
import { timeFromStored } from '../row/stored-time.js';
import type { Rows } from '../store/rows.js';
import type { RowOf } from '../store/table.js';
import type { exemplarsTable } from './exemplars.table.js';

/** A decision that a person took, and what everybody proposed. */
export interface ExemplarRow {
  readonly sessionId: string;
  readonly roundId: string;
  readonly machineName: string;
  /** The state in which it was decided. */
  readonly state: string;
  /** The person. */
  readonly specialistId: string;
  readonly transitionName: string;
  readonly toState: string;
  readonly reasoning: string;
  readonly metaJson?: JsonObject;
  /** In the order they arrived. */
  readonly proposals: readonly OpenProposal[];
  /** It was decided elsewhere: session and round are not in the log. */
  readonly imported: boolean;
  /** ISO 8601, UTC. */
  readonly decidedAt: string;
}

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
  return pageOf(request, {
    list: 'exemplars',
    read: (after, limit) => {
      let query = db.selectFrom('exemplars_v3').selectAll().where('machine_name', '=', machineName);
      if (state !== undefined) query = query.where('state', '=', storedText(state));
      if (after !== undefined) query = query.where('position', '<', after);
      return query.orderBy('position', 'desc').limit(limit).execute();
    },
    keyOf: (row) => row.position,
    toItems: (rows) => rows.map(exemplarOf),
  });
}

export function exemplarOf(row: RowOf<typeof exemplarsTable>): ExemplarRow {
  return {
    sessionId: row.session_id,
    roundId: row.round_id,
    machineName: row.machine_name,
    state: textFromStored(row.state),
    specialistId: row.specialist_id,
    transitionName: textFromStored(row.transition_name),
    toState: textFromStored(row.to_state),
    reasoning: textFromStored(row.reasoning),
    ...(row.meta_json !== null && { metaJson: jsonFromStored(row.meta_json) }),
    proposals: JSON.parse(row.proposals) as OpenProposal[],
    imported: row.imported === 1,
    decidedAt: timeFromStored(row.decided_at),
  };
}
