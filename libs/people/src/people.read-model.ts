import type { Kysely } from 'kysely';
import type { Rejection } from '#lib/kernel';
import {
  deleteRow,
  type Handlers,
  insertRow,
  type Page,
  pageOf,
  type PageRequest,
  type Projection,
  type RowOf,
  type Rows,
  storedText,
  storedTime,
  table,
  textFromStored,
  timeFromStored,
} from '#lib/projections';
import type { PersonEvent, PersonRole } from './people.events.js';
import type { PersonView } from './people.views.js';

const peopleTable = table(
  'people_v1',
  { person_id: 'text', name: 'text?', role: 'text', created_at: 'bigint' },
  ['person_id'],
);
type Tables = { people_v1: RowOf<typeof peopleTable> };

const addPerson = insertRow(peopleTable);
const removePerson = deleteRow(peopleTable, ['person_id']);

const onPerson: Handlers<PersonEvent> = {
  PersonRegistered: ({ data: { personId, name, role }, occurredAt }) => [
    addPerson({
      person_id: personId,
      name: name === undefined ? null : storedText(name),
      role,
      created_at: storedTime(occurredAt),
    }),
  ],
  PersonDeleted: ({ data: { personId } }) => [removePerson({ person_id: personId })],
};

/** The people there are. Tokens and their hashes are no part of it: access goes by the log. */
export const peopleProjection: Projection<'people'> = {
  name: 'people',
  version: 1,
  tables: [peopleTable],
  on: { person: onPerson },
};

export async function getPerson(db: Rows<'people'>, personId: string): Promise<PersonView | undefined> {
  const row = await people(db).where('person_id', '=', personId).executeTakeFirst();
  return row && personView(row);
}

/** By id. */
export function listPeople(db: Rows<'people'>, request: PageRequest): Promise<Page<PersonView> | Rejection> {
  return pageOf(request, {
    list: 'people',
    read: (after = '', limit) =>
      people(db).where('person_id', '>', after).orderBy('person_id').limit(limit).execute(),
    keyOf: (row) => row.person_id,
    toItems: (rows) => rows.map(personView),
  });
}

function people(db: Pick<Kysely<object>, 'withTables'>) {
  return db.withTables<Tables>().selectFrom('people_v1').selectAll();
}

function personView({ person_id, name, role, created_at }: RowOf<typeof peopleTable>): PersonView {
  return {
    personId: person_id,
    ...(name !== null && { name: textFromStored(name) }),
    role: role as PersonRole,
    createdAt: timeFromStored(created_at),
  };
}
