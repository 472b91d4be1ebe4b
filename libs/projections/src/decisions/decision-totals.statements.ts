import { statement } from '../store/statement.js';

type DecisionKey = { readonly session_id: string; readonly revision: number };

/** Adds a decision, which is there already, to the totals of its state. */
export const countDecision = statement<DecisionKey>((db, values) =>
  db
    .insertInto('decision_totals_v5')
    .columns(['machine_name', 'from_state', 'kind', 'decisions', 'margins', 'margin'])
    .expression((eb) =>
      eb
        .selectFrom('decisions_v5 as decision')
        .select((of) => [
          'decision.machine_name',
          'decision.from_state',
          'decision.kind',
          of.lit(1).as('decisions'),
          of.case().when('decision.margin', 'is', null).then(of.lit(0)).else(of.lit(1)).end().as('margins'),
          of.fn.coalesce('decision.margin', of.lit(0)).as('margin'),
        ])
        .where('decision.session_id', '=', values.session_id)
        .where('decision.revision', '=', values.revision),
    )
    .onConflict((conflict) =>
      conflict.columns(['machine_name', 'from_state', 'kind']).doUpdateSet((eb) => ({
        decisions: eb('decision_totals_v5.decisions', '+', eb.ref('excluded.decisions')),
        margins: eb('decision_totals_v5.margins', '+', eb.ref('excluded.margins')),
        margin: eb('decision_totals_v5.margin', '+', eb.ref('excluded.margin')),
      })),
    ),
);

/** Adds the proposals of a decision's round to the totals of those who made them. */
export const countProposals = statement<DecisionKey>((db, values) =>
  db
    .insertInto('decision_wins_v5')
    .columns(['machine_name', 'specialist_id', 'is_human', 'proposals', 'winning'])
    .expression((eb) =>
      eb
        .selectFrom('decisions_v5 as decision')
        .innerJoin('proposals_v5 as proposal', (join) =>
          join
            .onRef('proposal.session_id', '=', 'decision.session_id')
            .onRef('proposal.round_id', '=', 'decision.round_id')
            .on('proposal.is_counted', '=', 1),
        )
        .select((of) => [
          'decision.machine_name',
          'proposal.specialist_id',
          of.fn.max('proposal.is_human').as('is_human'),
          of.fn.countAll<number>().as('proposals'),
          of.fn
            .sum<number>(
              of
                .case()
                .when('proposal.transition_name', '=', of.ref('decision.transition_name'))
                .then(of.lit(1))
                .else(of.lit(0))
                .end(),
            )
            .as('winning'),
        ])
        .where('decision.session_id', '=', values.session_id)
        .where('decision.revision', '=', values.revision)
        .groupBy(['decision.machine_name', 'proposal.specialist_id']),
    )
    .onConflict((conflict) =>
      conflict.columns(['machine_name', 'specialist_id']).doUpdateSet((eb) => ({
        is_human: eb
          .case()
          .when('excluded.is_human', '=', 1)
          .then(eb.lit(1))
          .else(eb.ref('decision_wins_v5.is_human'))
          .end(),
        proposals: eb('decision_wins_v5.proposals', '+', eb.ref('excluded.proposals')),
        winning: eb('decision_wins_v5.winning', '+', eb.ref('excluded.winning')),
      })),
    ),
);
