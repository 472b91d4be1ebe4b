import type { Rows } from '../store/rows.js';

/** How often a specialist, a person too, proposed what was decided. */
export interface SpecialistWins {
  readonly specialistId: string;
  readonly isHuman: boolean;
  /** In decided rounds, by people and by arbiters alike. */
  readonly totalProposals: number;
  /** For the transition that was decided. */
  readonly winningProposals: number;
  readonly winRate: number;
}

/** Everybody who proposed in a decided round of a machine, by id. */
export async function winsBySpecialist(
  db: Rows<'decisions'>,
  machineName: string,
): Promise<readonly SpecialistWins[]> {
  const rows = await db
    .selectFrom('decision_wins_v5')
    .selectAll()
    .where('machine_name', '=', machineName)
    .orderBy('specialist_id')
    .execute();
  return rows.map(({ specialist_id, is_human, proposals, winning }) => ({
    specialistId: specialist_id,
    isHuman: is_human === 1,
    totalProposals: proposals,
    winningProposals: winning,
    winRate: winning / proposals,
  }));
}
