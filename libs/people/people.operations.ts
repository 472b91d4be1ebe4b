import { Command, Query } from '@nestjs/cqrs';
import { EventLog } from '#lib/event-store';
import {
  answeredBy,
  CommandWriter,
  currentContext,
  input,
  is,
  markCreated,
  nothing,
  Operation,
  page,
  personOf,
  pageMembers,
  readMembers,
  readsRows,
  readsRowsOf,
} from '#lib/operations';
import type { Page } from '#lib/read-models';
import { personDecider, unknownPerson } from './people.decider.js';
import { type PersonEvent, ROLES } from './people.events.js';
import { getPerson, listPeople } from './people.read-model.js';
import { PersonToken, PersonView, Principal, RegisteredPerson } from './people.views.js';
import { PersonTokens } from './person-tokens.js';
import { fold, type RecordedEvent } from '#lib/kernel';

@Operation({
  summary: 'Register a person; the answer has their token',
  http: 'POST /v1/people',
  cli: 'people add <personId>',
  mcp: false,
  access: 'operator',
  answers: { 200: RegisteredPerson, 201: RegisteredPerson },
})
export class RegisterPerson extends input(Command<RegisteredPerson>, {
  personId: is.name,
  name: is.textUpTo(256).optional.about('For display'),
  role: is
    .oneOf(ROLES)
    .about('A viewer reads; a reviewer also answers and decides; an operator may do everything'),
  groups: is.names.optional.about(
    'The groups that they are in: definitions name groups of people who decide',
    {
      example: ['buyers'],
    },
  ),
}) {}

export const RegisterPersonHandler = answeredBy(
  RegisterPerson,
  [CommandWriter, PersonTokens],
  async ({ personId, name, role, groups }, writer, tokens) => {
    const context = currentContext();
    const person = { personId, ...(name !== undefined && { name }), role, ...(groups && { groups }) };
    const token = tokens.tokenFor(person.personId, context.commandId);
    const tokenHash = tokens.hashOf(token);
    const target = { category: 'person', id: person.personId } as const;
    const data = { ...person, tokenHash };
    await writer.bindKey(target, context);
    const { state } = await writer.send(personDecider, target, { type: 'RegisterPerson', data }, context);
    const isNew = state?.tokenHash === tokenHash;
    markCreated(isNew);
    return { ...person, ...(isNew && { token }) };
  },
);

@Operation({
  summary: 'Give a person a new token; the previous one ends',
  http: 'POST /v1/people/:personId/token',
  cli: 'people token <personId>',
  mcp: false,
  access: 'operator',
  answers: { 201: PersonToken },
})
export class ReplacePersonToken extends input(Command<PersonToken>, { personId: is.nameOf(unknownPerson) }) {}

export const ReplacePersonTokenHandler = answeredBy(
  ReplacePersonToken,
  [CommandWriter, PersonTokens],
  async ({ personId }, writer, tokens) => {
    const context = currentContext();
    const token = tokens.tokenFor(personId, context.commandId);
    const data = { personId, tokenHash: tokens.hashOf(token) };
    const target = { category: 'person', id: personId } as const;
    await writer.send(personDecider, target, { type: 'ReplacePersonToken', data }, context);
    return { token };
  },
);

@Operation({
  summary: 'Put a person into these groups, and out of all others',
  http: 'PUT /v1/people/:personId/groups',
  cli: 'people groups <personId>',
  mcp: false,
  access: 'operator',
  answers: { 200: PersonView },
})
export class ReplacePersonGroups extends input(Command<PersonView>, {
  personId: is.nameOf(unknownPerson),
  groups: is.names.about('Empty: none', { example: ['buyers'] }),
}) {}

export const ReplacePersonGroupsHandler = answeredBy(
  ReplacePersonGroups,
  [CommandWriter, EventLog],
  async ({ personId, groups }, writer, log) => {
    const data = { personId, groups };
    const target = { category: 'person', id: personId } as const;
    const command = { type: 'ReplacePersonGroups', data } as const;
    const { revision } = await writer.send(personDecider, target, command, currentContext());
    const history = await log.load<PersonEvent>(log.streams.of('person', personId));
    return personAfter(history.upTo(revision).events) ?? unknownPerson(personId);
  },
);

@Operation({
  summary: 'Delete a person: their token ends, the specialists that name them stay and cannot act',
  http: 'DELETE /v1/people/:personId',
  cli: 'people delete <personId>',
  mcp: false,
  access: 'operator',
  answers: { 204: nothing },
  destructive: true,
})
export class DeletePerson extends input(Command<null>, { personId: is.nameOf(unknownPerson) }) {}

export const DeletePersonHandler = answeredBy(DeletePerson, [CommandWriter], async ({ personId }, writer) => {
  const target = { category: 'person', id: personId } as const;
  const command = { type: 'DeletePerson', data: { personId } } as const;
  await writer.send(personDecider, target, command, currentContext());
  return null;
});

@Operation({
  summary: 'The caller: the person who acts, and their rights',
  http: 'GET /v1/principal',
  cli: 'principal',
  mcp: false,
  access: 'viewer',
  answers: { 200: Principal },
})
export class GetPrincipal extends input(Query<Principal>, readMembers) {}

export const GetPrincipalHandler = answeredBy(GetPrincipal, [], async () => {
  const context = currentContext();
  const personId = personOf(context);
  const { role, standing } = context;
  return { ...(personId !== undefined && { personId }), role, mayActAs: standing === 'trusted' };
});

@Operation({
  summary: 'The people, by id',
  http: 'GET /v1/people',
  cli: 'people list',
  access: 'viewer',
  answers: { 200: page(PersonView) },
})
export class ListPeople extends input(Query<Page<PersonView>>, pageMembers) {}

export const ListPeopleHandler = readsRows(ListPeople, ['people'], listPeople);

@Operation({
  summary: 'A person',
  http: 'GET /v1/people/:personId',
  cli: 'people show <personId>',
  access: 'viewer',
  answers: { 200: PersonView },
})
export class GetPerson extends input(Query<PersonView>, {
  personId: is.nameOf(unknownPerson),
  ...readMembers,
}) {}

export const GetPersonHandler = readsRowsOf(
  GetPerson,
  ({ personId }) => ['person', personId],
  ['people'],
  async (db, { personId }) => (await getPerson(db, personId)) ?? unknownPerson(personId),
);

/** The person after these events of their stream; `undefined` before the registration and after the deletion. */
function personAfter(events: readonly RecordedEvent<PersonEvent>[]): PersonView | undefined {
  const person = fold(personDecider, events);
  const registered = events.findLast(({ type }) => type === 'PersonRegistered');
  if (!person || !registered) return undefined;
  const { tokenHash: _, ...shown } = person;
  return { ...shown, createdAt: registered.occurredAt };
}
