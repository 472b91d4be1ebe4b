import type { Command, Decider } from '#lib/kernel';
import type { ContentExported } from './content-export.events.js';

type RecordExport = Command<'RecordExport', ContentExported['data']>;

/** An export in its stream: its request. */
export const contentExportDecider: Decider<
  ContentExported['data'] | undefined,
  RecordExport,
  ContentExported
> = {
  initialState: undefined,
  decide: ({ data }, state) => (state ? [] : [{ type: 'ContentExported', data }]),
  evolve: (state, { data }) => state ?? data,
  record: (command) => command,
  rebuild: (recorded) => recorded as RecordExport,
};
