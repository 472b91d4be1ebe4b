import type { MachineSpecialist } from '#lib/projections';
import type { AskedProposer, Roster } from '#lib/session';

/** Who can be asked about a session's current round, with all that is known of the machine's specialists. */
export interface RoundParticipants extends Roster {
  /** Every specialist that may take part in the session, in the version that it uses, in order of registration. */
  readonly registered: readonly MachineSpecialist[];
  /** Log position of the event that began the round. */
  readonly roundBegan?: string;
  /** What is known of each of `proposers`. */
  readonly asked: readonly AskedProposer[];
}
