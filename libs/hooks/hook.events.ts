// The names of these events and of their members are the storage format: logs of every release hold them.
// Add members as optional ones; to rename or to change a meaning, raise the version and write an upcaster.
import type { DeclaredEvents } from '#lib/event-store';
import type { Event } from '#lib/kernel';
import type { HookType } from './hook-types.js';

/** An address that gets messages about events from here on. The last registration of a hook counts. */
export type HookRegistered = Event<
  'HookRegistered',
  {
    readonly hookId: string;
    readonly url: string;
    readonly types: readonly HookType[];
    /** Events of other machines, and of none, send no message. */
    readonly machineName?: string;
    /** The variable that holds the secret of the signatures. Absent: the secret is in the store of keys, for this hook and its life. */
    readonly secretName?: string;
    /** Its messages wait until it is enabled. */
    readonly isDisabled?: true;
    /** How many hooks of this id were deleted before. */
    readonly life: number;
    /** A person, or `operator`. */
    readonly by: string;
  }
>;

/** The receiver answered that it is gone. */
type HookGone = Event<'HookGone', { readonly hookId: string }>;

type HookDeleted = Event<'HookDeleted', { readonly hookId: string; readonly by: string }>;

/** The events of the stream `hook-all`. */
export type HookEvent = HookRegistered | HookGone | HookDeleted;

/** The event catalogue's entries: the current schema version of each type, and the kinds of its members. */
export const hookEventDefinitions: DeclaredEvents<HookEvent> = {
  HookRegistered: {
    version: 1,
    members: {
      hookId: 'structure',
      url: 'structure',
      types: 'structure',
      machineName: 'structure',
      secretName: 'structure',
      isDisabled: 'structure',
      life: 'structure',
      by: 'structure',
    },
  },
  HookGone: { version: 1, members: { hookId: 'structure' } },
  HookDeleted: { version: 1, members: { hookId: 'structure', by: 'structure' } },
};
