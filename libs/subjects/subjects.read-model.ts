import {
  documents,
  flag,
  foldedTable,
  type Folds,
  hidden,
  labelledIds,
  optional,
  type ReadModel,
  recordOf,
  type Rows,
  type SchemaOf,
  time,
} from '#lib/read-models';
import {
  contentExports,
  exportsOf,
  type HoldingExport,
  onContentExport,
} from './exports/content-exports.read-model.js';
import type { SubjectEvent } from './subject.events.js';

const subjectsTable = foldedTable(
  'subjects',
  { subject: 'text', erased_at: optional(time), is_erasing: flag, number: hidden('bigint') },
  ['subject'],
);

const subjects = documents(subjectsTable, 'subject');

const onSubject: Folds<SubjectEvent> = {
  SubjectErased: (page, { occurredAt: erasedAt, number }, subject) =>
    page.put(subjects, { subject, erasedAt, isErasing: true, number }),
  SubjectErasureEnded: (page, _, subject) => {
    const erased = page.change(subjects, subject);
    if (erased) erased.isErasing = false;
  },
};

/** The subjects that were erased, and the exports of content. */
export const subjectsModel: ReadModel<'subjects'> = {
  name: 'subjects',
  kinds: [subjects, contentExports],
  of: { subject: [subjects], export: [contentExports] },
  sees: ['labels'],
  on: { subject: onSubject, export: onContentExport },
};

const AT_ONCE = 100;

/** Subjects whose erasure has not ended. */
export async function erasingSubjects(db: Rows<'subjects'>): Promise<readonly string[]> {
  const rows = await db
    .withTables<SchemaOf<typeof subjectsTable>>()
    .selectFrom(subjectsTable.name)
    .selectAll()
    .where('is_erasing', '=', 1)
    .limit(AT_ONCE)
    .execute();
  return rows.map((row) => recordOf(subjectsTable, row).subject);
}

/** The erasure that began last. @param hasEnded whether only erasures that have ended count */
export async function lastErased(
  db: Rows<'subjects'>,
  hasEnded: boolean,
): Promise<{ readonly subject: string; readonly number: number } | undefined> {
  const rows = db.withTables<SchemaOf<typeof subjectsTable>>().selectFrom(subjectsTable.name);
  const erased = rows
    .select(['subject', 'number'])
    .$if(hasEnded, (query) => query.where('is_erasing', '=', 0));
  return erased.orderBy('number', 'desc').limit(1).executeTakeFirst();
}

/** At most a hundred erased subjects, by name, after this one. */
export async function erasedSubjects(db: Rows<'subjects'>, after: string): Promise<readonly string[]> {
  const rows = await db
    .withTables<SchemaOf<typeof subjectsTable>>()
    .selectFrom(subjectsTable.name)
    .select('subject')
    .where('subject', '>', after)
    .orderBy('subject')
    .limit(AT_ONCE)
    .execute();
  return rows.map(({ subject }) => subject);
}

/** The exports that have rounds about a subject, the oldest first, without those after its erasure. */
export async function exportsHolding(
  db: Rows<'subjects' | 'labels' | 'sessions'>,
  subject: string,
): Promise<readonly HoldingExport[]> {
  const erased = await db
    .withTables<SchemaOf<typeof subjectsTable>>()
    .selectFrom(subjectsTable.name)
    .select('number')
    .where('subject', '=', subject)
    .executeTakeFirst();
  return exportsOf(db, await labelledIds(db, 'session', { subject }), erased?.number ?? Infinity);
}
