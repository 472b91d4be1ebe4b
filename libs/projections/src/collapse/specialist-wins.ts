import type { Rows } from '../store/rows.js';

/** How often a specialist, a person too, proposed what was decided. */
export interface SpecialistWins {
  readonly specialistId: string;
  readonly isHuman: boolean;
  /** In rounds that are decided, whoever decided them. */
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
    .selectFrom('decisions_v1 as decision')
    .innerJoin('decision_proposals_v1 as proposal', (join) =>
      join
        .onRef('proposal.session_id', '=', 'decision.session_id')
        .onRef('proposal.round_id', '=', 'decision.round_id'),
    )
    .select(({ fn, eb }) => [
      'proposal.specialist_id',
      fn.max('proposal.is_human').as('is_human'),
      fn.countAll().as('total'),
      fn
        .sum(
          eb
            .case()
            .when('proposal.transition_name', '=', eb.ref('decision.transition_name'))
            .then(eb.lit(1))
            .else(eb.lit(0))
            .end(),
        )
        .as('winning'),
    ])
    .where('decision.machine_name', '=', machineName)
    .groupBy('proposal.specialist_id')
    .orderBy('proposal.specialist_id')
    .execute();
  return rows.map((row) => {
    const [totalProposals, winningProposals] = [Number(row.total), Number(row.winning)];
    return {
      specialistId: row.specialist_id,
      isHuman: row.is_human === 1,
      totalProposals,
      winningProposals,
      winRate: winningProposals / totalProposals,
    };
  });
}
