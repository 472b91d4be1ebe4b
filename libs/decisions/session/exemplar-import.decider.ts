// The names of these events and of their members are the storage format: logs of every release hold them.
// Add members as optional ones; to rename or to change a meaning, raise the version and write an upcaster.
import type { Command, Decider, Event, JsonObject } from '#lib/kernel';
import type { AlignmentScope, OpenProposal, PastTransition } from './session.events.js';

/** A decision that a person took outside of this log: an example, and a comparison for each of its proposals. */
export type ExemplarImported = Event<
  'ExemplarImported',
  PastTransition & {
    /** Replaces session and round, which are not in the log. */
    readonly exemplarId: string;
    /** The person, under the name in the import. */
    readonly specialistId: string;
    /** The facts of the session. */
    readonly sessionMetaJson?: JsonObject;
    readonly scope: AlignmentScope;
    readonly proposals: readonly OpenProposal[];
    /** ISO 8601, UTC. */
    readonly decidedAt: string;
  }
>;

/** True once the import is in the log. */
type Imported = boolean;

/** Imports past decisions of people. */
export type ImportExemplars = Command<
  'ImportExemplars',
  { readonly exemplars: readonly ExemplarImported['data'][] }
>;

/** An import is one append, and is written once. */
export const exemplarImportDecider: Decider<Imported, ImportExemplars, ExemplarImported> = {
  initialState: false,
  decide: ({ data }, imported) =>
    imported ? [] : data.exemplars.map((exemplar) => ({ type: 'ExemplarImported', data: exemplar })),
  evolve: () => true,
  record: ({ type }) => ({ type }),
  rebuild: (_recorded, events) => ({
    type: 'ImportExemplars',
    data: { exemplars: events.map(({ data }) => data) },
  }),
};
