import { sql, type SqlBool } from 'kysely';
import {
  type ContentDataset,
  documents,
  foldedTable,
  type Folds,
  hasContentRound,
  hidden,
  optional,
  recordOf,
  type Rows,
  type SchemaOf,
  storedUuid,
  time,
  uuid,
  word,
} from '#lib/read-models';
import type { ContentExported } from './content-export.events.js';

const contentExportsTable = foldedTable(
  'content_exports',
  {
    export_id: uuid,
    dataset: word<ContentDataset>(),
    by: 'text',
    since: optional(time),
    until: optional(time),
    machine_name: 'text?',
    exported_at: time,
    number: hidden('bigint'),
  },
  ['export_id'],
  [['number']],
);

export const contentExports = documents(contentExportsTable, 'export_id');

export const onContentExport: Folds<ContentExported> = {
  ContentExported: (page, { data, occurredAt: exportedAt, number }, exportId) => {
    const { dataset, by, from: since, to: until, machineName } = data;
    page.put(contentExports, { exportId, dataset, by, since, until, machineName, exportedAt, number });
  },
};

/** An export that has rounds about a subject. */
export interface HoldingExport {
  readonly at: string;
  readonly by: string;
  readonly what: ContentDataset;
}

const SESSIONS_AT_ONCE = 500;

/**
 * The exports of rounds of these sessions, the oldest first, also once these are erased.
 * @param before the number of an event: later exports are left out
 */
export async function exportsOf(
  db: Rows<'subjects' | 'sessions'>,
  sessionIds: readonly string[],
  before: number,
): Promise<readonly HoldingExport[]> {
  const found = new Map<number, HoldingExport>();
  for (let at = 0; at < sessionIds.length; at += SESSIONS_AT_ONCE) {
    const ids = sessionIds.slice(at, at + SESSIONS_AT_ONCE).map(storedUuid);
    const rows = await db
      .withTables<SchemaOf<typeof contentExportsTable>>()
      .selectFrom(`${contentExportsTable.name} as held` as const)
      .selectAll()
      .where(
        hasContentRound(
          sql.ref('held.dataset'),
          sql<SqlBool>`decision.session_id in (${sql.join(ids)}) and decision.number < held.number
            and (held.machine_name is null or held.machine_name = decision.machine_name)
            and (held.since is null or held.since <= decision.decided_at)
            and (held.until is null or held.until > decision.decided_at)`,
        ),
      )
      .execute();
    for (const row of rows.filter(({ number }) => number < before)) {
      const { exportedAt: at, by, dataset: what } = recordOf(contentExportsTable, row);
      found.set(row.number, { at, by, what });
    }
  }
  return [...found].toSorted(([one], [other]) => one - other).map(([, held]) => held);
}
