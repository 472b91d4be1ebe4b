// The names of these events and of their members are the storage format: logs of every release hold them.
// Add members as optional ones; to rename or to change a meaning, raise the version and write an upcaster.
import type { DeclaredEvents } from '#lib/event-store';
import type { Event } from '#lib/kernel';

export const ROLES = ['viewer', 'reviewer', 'operator'] as const;

/** A viewer may read, a reviewer also decide as the specialists that name them, an operator everything. */
export type PersonRole = (typeof ROLES)[number];

export type PersonRegistered = Event<
  'PersonRegistered',
  {
    readonly personId: string;
    readonly name?: string;
    readonly role: PersonRole;
    /** The groups of the person. Absent: none, and before 0.3. */
    readonly groups?: readonly string[];
    /** SHA-256 of the token. The token itself is not stored. */
    readonly tokenHash: string;
  }
>;

/** From here on the person is in these groups alone. */
export type PersonGroupsReplaced = Event<
  'PersonGroupsReplaced',
  { readonly personId: string; readonly groups: readonly string[] }
>;

/** The earlier token ends. */
type PersonTokenReplaced = Event<
  'PersonTokenReplaced',
  { readonly personId: string; readonly tokenHash: string }
>;

/** Their token ends; the specialists that name them stay and can no longer act. */
export type PersonDeleted = Event<'PersonDeleted', { readonly personId: string }>;

/** The events of a stream of the category `person`; its id is the person's. */
export type PersonEvent = PersonRegistered | PersonGroupsReplaced | PersonTokenReplaced | PersonDeleted;

/** The event catalogue's entries: the current schema version of each type. */
export const personEventDefinitions: DeclaredEvents<PersonEvent> = {
  PersonRegistered: {
    version: 1,
    members: {
      personId: 'structure',
      name: 'content',
      role: 'structure',
      groups: 'structure',
      tokenHash: 'derived',
    },
  },
  PersonGroupsReplaced: { version: 1, members: { personId: 'structure', groups: 'structure' } },
  PersonTokenReplaced: { version: 1, members: { personId: 'structure', tokenHash: 'derived' } },
  PersonDeleted: { version: 1, members: { personId: 'structure' } },
};
