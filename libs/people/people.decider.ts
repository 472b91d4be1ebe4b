import { type Command, type Decider, ENGINE_ACTOR, jsonText, reject, type Rejection } from '#lib/kernel';
import type { PersonEvent, PersonRegistered } from './people.events.js';

/** A person, folded from their events; `undefined` before the registration and after the deletion. */
export type PersonState = PersonRegistered['data'] | undefined;

export type RegisterPerson = Command<
  'RegisterPerson',
  PersonRegistered['data'] & {
    /** A person who is registered under the id is not changed. */
    readonly unlessRegistered?: true;
  }
>;
export type ReplacePersonToken = Command<
  'ReplacePersonToken',
  { readonly personId: string; readonly tokenHash: string }
>;
export type ReplacePersonGroups = Command<
  'ReplacePersonGroups',
  { readonly personId: string; readonly groups: readonly string[] }
>;
export type DeletePerson = Command<'DeletePerson', { readonly personId: string }>;
export type PersonCommand = RegisterPerson | ReplacePersonGroups | ReplacePersonToken | DeletePerson;

export const personDecider: Decider<PersonState, PersonCommand, PersonEvent> = {
  initialState: undefined,
  decide: decidePerson,
  evolve: evolvePerson,
  record: (command) => command,
  rebuild: (recorded) => recorded as PersonCommand,
};

/** Total: an event of a type from the future changes nothing. */
function evolvePerson(state: PersonState, event: PersonEvent): PersonState {
  switch (event.type) {
    case 'PersonRegistered':
      return event.data;
    case 'PersonTokenReplaced':
      return state && { ...state, tokenHash: event.data.tokenHash };
    case 'PersonGroupsReplaced':
      return state && { ...state, groups: event.data.groups };
    case 'PersonDeleted':
      return undefined;
    default:
      event satisfies never;
      return state;
  }
}

function decidePerson({ type, data }: PersonCommand, state: PersonState): readonly PersonEvent[] | Rejection {
  if (type === 'RegisterPerson') return register(data, state);
  if (!state) return unknownPerson(data.personId);
  if (type === 'DeletePerson') return [{ type: 'PersonDeleted', data: { personId: data.personId } }];
  if (type === 'ReplacePersonGroups')
    return sameGroups(data.groups, state.groups) ? [] : [{ type: 'PersonGroupsReplaced', data }];
  return [{ type: 'PersonTokenReplaced', data }];
}

/** Registering the same body again changes nothing: the token stays. */
function register(
  { unlessRegistered, ...data }: RegisterPerson['data'],
  state: PersonState,
): readonly PersonEvent[] | Rejection {
  if (!state) return isReserved(data) ? reserved(data.personId) : [{ type: 'PersonRegistered', data }];
  if (unlessRegistered) return [];
  const isSame =
    state.name === data.name &&
    state.role === data.role &&
    (data.groups === undefined || sameGroups(data.groups, state.groups));
  return isSame ? [] : personExists(data.personId);
}

/** In any order. */
function sameGroups(some: readonly string[] = [], others: readonly string[] = []): boolean {
  return jsonText([...new Set(some)].toSorted()) === jsonText([...new Set(others)].toSorted());
}

/**
 * Reserved ids: in the log `operator` is the caller without a token of a person, and no person with fewer rights may look like one. The
 * actor of the engine itself is no person either.
 */
function isReserved({ personId, role }: PersonRegistered['data']): boolean {
  return personId === ENGINE_ACTOR || (personId === 'operator' && role !== 'operator');
}

function reserved(personId: string): Rejection {
  return reject('refused', 'reserved-person', {
    what: `person ${personId}`,
    why: 'in the log the id means an operator or the engine, not a person',
    fix: 'Choose another id',
  });
}

export function unknownPerson(personId: string): Rejection {
  return reject('unknown', 'unknown-person', {
    what: `person ${personId}`,
    why: 'no person is registered under this id',
    fix: 'Check the id, or register the person first',
  });
}

function personExists(personId: string): Rejection {
  return reject('conflict', 'person-exists', {
    what: `person ${personId}`,
    why: 'the id is taken by a person with another name, role or groups',
    fix: 'Choose another id, replace the groups of that person, or delete them first',
  });
}
