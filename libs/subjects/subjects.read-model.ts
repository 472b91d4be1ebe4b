import {
  documents,
  flag,
  foldedTable,
  type Folds,
  labelledIds,
  optional,
  type ReadModel,
  recordOf,
  type Rows,
  type SchemaOf,
  time,
} from '#lib/read-models';
import type { SubjectEvent } from './subject.events.js';

const subjectsTable = foldedTable(
  'subjects',
  { subject: 'text', erased_at: optional(time), is_erasing: flag },
  ['subject'],
);

const subjects = documents(subjectsTable, 'subject');

const onSubject: Folds<SubjectEvent> = {
  SubjectErased: (page, { occurredAt: erasedAt }, subject) =>
    page.put(subjects, { subject, erasedAt, isErasing: true }),
  SubjectErasureEnded: (page, _, subject) => {
    const erased = page.change(subjects, subject);
    if (erased) erased.isErasing = false;
  },
};

/** The subjects that were erased. */
export const subjectsModel: ReadModel<'subjects'> = {
  name: 'subjects',
  kinds: [subjects],
  of: { subject: [subjects] },
  sees: ['labels'],
  on: { subject: onSubject },
};

type Db = Rows<'labels'>;

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

/** The ids of what is about a subject, oldest first. */
export async function idsAbout(db: Db, subject: string) {
  const [sessions, runs, conversations] = await Promise.all(
    (['session', 'run', 'conversation'] as const).map((kind) => labelledIds(db, kind, { subject })),
  );
  return { sessions: sessions ?? [], runs: runs ?? [], conversations: conversations ?? [] };
}
