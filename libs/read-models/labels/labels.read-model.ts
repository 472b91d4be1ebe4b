import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely';
import type { Event, Labelled, Labels } from '#lib/kernel';
import { facts, type FoldOf, type ReadModel } from '../loop/declare.js';
import { foldedTable } from '../loop/folded-table.js';
import { freeText, uuid, word } from '../store/columns.js';
import type { Rows } from '../store/rows.js';
import { storedText, uuidFromStored } from '../store/stored-values.js';
import type { SchemaOf } from '../store/table.js';
import type { RowFilter } from '../store/rows-that-fit.js';

/** Keys, subjects and tags, each as one text: a row for each label of a stream. */
const labelsTable = foldedTable(
  'labels',
  {
    kind: word<Labelled>(),
    /** `key=…`, `subject=…`, or `tag=` with name and value, joined by a colon. */
    label: freeText,
    /** The number of the first event of the stream: its place in lists. */
    label_number: 'bigint',
    labelled_id: uuid,
  },
  ['kind', 'label', 'label_number'],
  [['label', 'label_number']],
);

const labels = facts(labelsTable);

const keyLabel = (key: string) => `key=${key}`;
const tagLabel = (tag: string) => `tag=${tag}`;
const subjectLabel = (subject: string) => `subject=${subject}`;

/** The labels of a stream are in its first event. */
function foldOf(kind: Labelled): FoldOf<Event> {
  return (page, { data, number }, labelledId) => {
    const { key, tags = {}, subject } = data as Labels;
    const tagged = Object.entries(tags).map(([name, value]) => tagLabel(`${name}:${value}`));
    const named = [
      ...(key === undefined ? [] : [keyLabel(key)]),
      ...(subject === undefined ? [] : [subjectLabel(subject)]),
    ];
    const all = [...named, ...new Set(tagged)];
    for (const label of all) page.add(labels, { kind, label, labelNumber: number, labelledId });
  };
}

/** The keys, subjects and tags of sessions, runs and conversations. */
export const labelsModel: ReadModel<'labels'> = {
  name: 'labels',
  kinds: [labels],
  on: {
    session: { SessionCreated: foldOf('session') },
    conversation: { ConversationStarted: foldOf('conversation') },
  },
  onRuns: { WorkflowStarted: foldOf('run') },
};

/** The labels that each item of a list must have. */
export interface LabelFilter {
  readonly key?: string;
  readonly tag?: string | readonly string[];
  readonly subject?: string;
}

/** A list of rows with these labels: the index of one label gives the rows in order. */
export function labelledRows<DB, TB extends keyof DB, Row>(
  kind: Labelled,
  rows: SelectQueryBuilder<DB, TB, Row>,
  { key, tag = [], subject }: LabelFilter,
  filter: RowFilter<Row>,
) {
  const tags = typeof tag === 'string' ? [tag] : tag;
  const [first, ...others] = [
    ...(key === undefined ? [] : [keyLabel(key)]),
    ...(subject === undefined ? [] : [subjectLabel(subject)]),
    ...tags.map(tagLabel),
  ];
  if (first === undefined) return { rows, filter };
  const labelled = rows
    .innerJoin(labelsTable.name as never, (join) => join.on(sql`number`, '=', sql`label_number`))
    .where(sql<boolean>`kind = ${kind} and label = ${storedText(first)}`) as typeof rows;
  const conditions = [...(filter.conditions ?? []), ...others.map((label) => hasLabel(kind, label))];
  return { rows: labelled, key: 'label_number', filter: { ...filter, indexed: [], conditions } };
}

function hasLabel(kind: Labelled, label: string): RawBuilder<boolean> {
  const other = (column: string) => sql.ref(`other.${column}`);
  return sql<boolean>`exists (select 1 from ${sql.table(labelsTable.name)} as other where ${other('kind')} = ${kind}
    and ${other('label')} = ${storedText(label)} and ${other('label_number')} = number)`;
}

/** The ids of this kind with a subject, oldest first. */
export async function labelledIds(
  db: Rows<'labels'>,
  kind: Labelled,
  { subject }: { readonly subject: string },
): Promise<readonly string[]> {
  const rows = await db
    .withTables<SchemaOf<typeof labelsTable>>()
    .selectFrom(labelsTable.name)
    .select('labelled_id')
    .where('kind', '=', kind)
    .where('label', '=', storedText(subjectLabel(subject)))
    .orderBy('label_number')
    .execute();
  return rows.map((row) => uuidFromStored(row.labelled_id));
}

/** The ids of sessions, runs and conversations with a subject, oldest first. */
export async function idsAbout(db: Rows<'labels'>, subject: string) {
  const [sessions, runs, conversations] = await Promise.all(
    (['session', 'run', 'conversation'] as const).map((kind) => labelledIds(db, kind, { subject })),
  );
  return { sessions: sessions ?? [], runs: runs ?? [], conversations: conversations ?? [] };
}

/** All stored ids with this key. */
export function idsWithKey(key: string): RawBuilder<unknown> {
  return sql`select labelled_id from ${sql.table(labelsTable.name)} where label = ${storedText(keyLabel(key))}`;
}
