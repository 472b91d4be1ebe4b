import type { MachineSpecialist } from '#lib/projections';
import type { AskedProposer, Roster } from '#lib/session';

/** Who can be asked about a session's current round, with all that is known of the machine's specialists. */
export interface RosterView extends Roster {
  /** Everyone registered for the machine, in order of registration. */
  readonly registered: readonly MachineSpecialist[];
  /** What is known of each of `proposers`. */
  readonly asked: readonly AskedProposer[];
}
