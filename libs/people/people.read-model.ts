import type { Kysely } from 'kysely';
import type { Rejection } from '#lib/kernel';
import {
  deleteRow,
  freeText,
  type Handlers,
  insertRow,
  optional,
  type Page,
  pageOfRows,
  type PageRequest,
  type Projection,
  recordOf,
  type Rows,
  type SchemaOf,
  table,
  time,
  word,
} from '#lib/read-models';
import type { PersonEvent, PersonRole } from './people.events.js';
import type { PersonView } from './people.views.js';

const peopleTable = table(
  'people_v1',
  { person_id: 'text', name: optional(freeText), role: word<PersonRole>(), created_at: time },
  ['person_id'],
);

const addPerson = insertRow(peopleTable);
const removePerson = deleteRow(peopleTable, ['person_id']);

const onPerson: Handlers<PersonEvent> = {
  PersonRegistered: ({ data, occurredAt }) => [addPerson({ ...data, createdAt: occurredAt })],
  PersonDeleted: ({ data: { personId } }) => [removePerson({ personId })],
};

/** All registered people, without tokens and their hashes: access is checked by the log. */
export const peopleProjection: Projection<'people'> = {
  name: 'people',
  version: 1,
  tables: [peopleTable],
  on: { person: onPerson },
};

export async function getPerson(db: Rows<'people'>, personId: string): Promise<PersonView | undefined> {
  const row = await people(db).where('person_id', '=', personId).executeTakeFirst();
  return row && recordOf(peopleTable, row);
}

/** By id. */
export function listPeople(db: Rows<'people'>, request: PageRequest): Promise<Page<PersonView> | Rejection> {
  return pageOfRows(request, {
    list: 'people',
    rows: people(db),
    table: peopleTable,
    by: 'person_id',
    toItems: (rows) => rows.map((row) => recordOf(peopleTable, row)),
  });
}

function people(db: Pick<Kysely<object>, 'withTables'>) {
  return db.withTables<SchemaOf<typeof peopleTable>>().selectFrom('people_v1').selectAll();
}
