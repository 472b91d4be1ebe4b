import type { MachineSpecialist } from '#lib/projections';
import type { AskedProposer, Roster } from '#lib/session';

/** The specialists that can be asked about a session's current round, with the alignment of all of the machine. */
export interface RoundParticipants extends Roster {
  /** Every specialist that may take part in the session, in the version that it uses, in order of registration. */
  readonly registered: readonly MachineSpecialist[];
  /** Log position of the event that began the round. */
  readonly roundBegan?: string;
  /** The alignment of each of `proposers`. */
  readonly asked: readonly AskedProposer[];
}
