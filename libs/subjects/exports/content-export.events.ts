// The names of these events and of their members are the storage format: logs of every release hold them.
// Add members as optional ones; to rename or to change a meaning, raise the version and write an upcaster.
import type { DeclaredEvents } from '#lib/event-store';
import type { Event } from '#lib/kernel';
import type { ContentDataset } from '#lib/read-models';

/** The content of decided rounds is exported: recorded before the first of it is sent. */
export type ContentExported = Event<
  'ContentExported',
  {
    readonly exportId: string;
    readonly dataset: ContentDataset;
    /** A person, or `operator`. */
    readonly by: string;
    readonly from?: string;
    readonly to?: string;
    readonly machineName?: string;
    /** The position up to which the log is exported; absent for a log without events. */
    readonly position?: string;
    /** The number of exported rounds. */
    readonly rounds: number;
  }
>;

/** The event catalogue's entries. */
export const contentExportEventDefinitions: DeclaredEvents<ContentExported> = {
  ContentExported: {
    version: 1,
    members: {
      exportId: 'structure',
      dataset: 'structure',
      by: 'structure',
      from: 'structure',
      to: 'structure',
      machineName: 'structure',
      position: 'structure',
      rounds: 'structure',
    },
  },
};
