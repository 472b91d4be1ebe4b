import type { Kysely } from 'kysely';
import type { Rejection } from '#lib/kernel';
import {
  documents,
  foldedTable,
  type Folds,
  freeText,
  hidden,
  json,
  optional,
  type Page,
  pageOfRows,
  type PageRequest,
  type ReadModel,
  recordOf,
  type Rows,
  type SchemaOf,
  time,
  word,
} from '#lib/read-models';
import type { PersonEvent, PersonRole } from './people.events.js';
import type { PersonView } from './people.views.js';

export const peopleTable = foldedTable(
  'people',
  {
    person_id: 'text',
    name: optional(freeText),
    role: word<PersonRole>(),
    groups: optional(json<readonly string[]>()),
    created_at: time,
    /** Of the registration, in the order of all events. */
    number: hidden('bigint'),
  },
  ['person_id'],
);

const people = documents(peopleTable, 'person_id');

const onPerson: Folds<PersonEvent> = {
  PersonRegistered: (page, { data: { tokenHash: _, ...person }, occurredAt, number }) =>
    page.put(people, { ...person, createdAt: occurredAt, number }),
  PersonGroupsReplaced: (page, { data: { personId, groups } }) => {
    const person = page.change(people, personId);
    if (person) person.groups = groups;
  },
  PersonDeleted: (page, { data: { personId } }) => page.drop(people, personId),
};

/** All registered people, without tokens and their hashes: access is checked against the log. */
export const peopleModel: ReadModel<'people'> = {
  name: 'people',
  kinds: [people],
  of: { person: [people] },
  on: { person: onPerson },
};

export async function getPerson(db: Rows<'people'>, personId: string): Promise<PersonView | undefined> {
  const row = await personRows(db).where('person_id', '=', personId).executeTakeFirst();
  return row && recordOf(peopleTable, row);
}

/** By id. */
export function listPeople(db: Rows<'people'>, request: PageRequest): Promise<Page<PersonView> | Rejection> {
  return pageOfRows(request, {
    list: 'people',
    rows: personRows(db),
    table: peopleTable,
    by: 'person_id',
    toItems: (rows) => rows.map((row) => recordOf(peopleTable, row)),
  });
}

function personRows(db: Pick<Kysely<object>, 'withTables'>) {
  return db.withTables<SchemaOf<typeof peopleTable>>().selectFrom(peopleTable.name).selectAll();
}
