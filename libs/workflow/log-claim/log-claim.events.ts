// The names of these events and of their members are the storage format: logs of every release hold them.
// Add members as optional ones; to rename or to change a meaning, raise the version and write an upcaster.
import type { DeclaredEvents } from '#lib/event-store';
import type { Event } from '#lib/kernel';

/** After this event only engines with this lease store run the log's workflows. The last event of this type counts. */
export type LogClaimed = Event<
  'LogClaimed',
  {
    readonly leaseStoreId: string;
    /** The address of the store, for display. Never compared. */
    readonly leaseStore: string;
  }
>;

/** The event catalogue's entries: the current schema version of each type. */
export const logClaimEventDefinitions: DeclaredEvents<LogClaimed> = {
  LogClaimed: { version: 1, members: { leaseStoreId: 'structure', leaseStore: 'structure' } },
};
