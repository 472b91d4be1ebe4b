// The names of these events and of their members are the storage format: logs of every release hold them.
// Add members as optional ones; to rename or to change a meaning, raise the version and write an upcaster.
import type { DeclaredEvents } from '#lib/event-store';
import type { Event } from '#lib/kernel';
import type { Seal } from './seal.js';

/** The root of the log up to an event. */
export type LogSealed = Event<
  'LogSealed',
  Seal & {
    /** The last event of the tree, from which the next seal goes on: its stream without the prefix of the log. */
    readonly last: { readonly stream: string; readonly revision: number };
  }
>;

/** The events before this one were copied from another log. */
export type LogCopied = Event<
  'LogCopied',
  {
    /** The id of that log. */
    readonly copyOf: string;
    /** The ids of the logs from which that one was copied. */
    readonly before: readonly string[];
  }
>;

/** The event catalogue's entries: the current schema version of each type, and the kinds of its members. */
export const sealEventDefinitions: DeclaredEvents<LogSealed | LogCopied> = {
  LogSealed: {
    version: 1,
    members: {
      index: 'structure',
      events: 'structure',
      root: 'structure',
      previous: 'structure',
      subtrees: 'structure',
      log: 'structure',
      sealedAt: 'structure',
      keyId: 'structure',
      signature: 'structure',
      last: { stream: 'structure', revision: 'structure' },
    },
  },
  LogCopied: { version: 1, members: { copyOf: 'structure', before: 'structure' } },
};
