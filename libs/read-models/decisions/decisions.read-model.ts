import type { Kysely } from 'kysely';
import type { RecordedEvent } from '#lib/kernel';
import type { MachineDefinition } from '#lib/decisions/machines';
import {
  type ConsensusReached,
  effectiveThreshold,
  type HumanOverrideAccepted,
  type SessionCreated,
  type SessionEvent,
  type TransitionExecuted,
} from '#lib/decisions/session';
import type { Handlers, Projection } from '../runner/projection.js';
import type { ReadSchema } from '../store/read-schema.js';
import { insertRow, insertRowOnce, insertRows } from '../store/row-changes.js';
import { type Change, statement } from '../store/statement.js';
import { pick, type RowOf } from '../store/table.js';
import {
  decisionBasesTable,
  decisionSessionsTable,
  decisionsTable,
  decisionThresholdsTable,
  decisionTotalsTable,
  decisionWinsTable,
} from './decisions.tables.js';
import { endRound, proposalsTable, setAside, submitted } from './proposals.read-model.js';

const addSession = insertRowOnce(decisionSessionsTable);
const addThreshold = insertRowOnce(decisionThresholdsTable);
const addBasis = insertRow(decisionBasesTable);

/** The columns of a decision that its event gives; earlier events gave the others. */
const executedColumns = pick(decisionsTable.columns, [
  'session_id',
  'revision',
  'round_id',
  'from_state',
  'to_state',
  'transition_name',
  'is_human',
  'winning_proposal_id',
  'reasoning',
  'decided_at',
  'position',
  'log_id',
]);

/**
 * Without a basis it was an operator's. The threshold is the one that the arbiter went by, else what the machine declares for
 * the state. Refused if the session was never created.
 */
const addDecision = statement(executedColumns, (db, values) => {
  const basis = db
    .selectFrom('decision_bases_v5')
    .where('session_id', '=', values.session_id)
    .where('round_id', '=', values.round_id);
  const session = db.selectFrom('decision_sessions_v5').where('session_id', '=', values.session_id);
  const proposedByPerson = db
    .selectFrom('proposals_v5')
    .select('proposal_id')
    .where('session_id', '=', values.session_id)
    .where('round_id', '=', values.round_id)
    .where('transition_name', '=', values.transition_name)
    .where('is_counted', '=', 1)
    .where('is_human', '=', 1);
  return db.insertInto('decisions_v5').values((eb) => ({
    ...values,
    machine_name: session.select('machine_name'),
    how: eb.fn.coalesce(basis.select('how'), eb.val<string>('operator')),
    kind: eb
      .case()
      .when(eb.not(eb.exists(basis.select('how'))))
      .then('operator')
      .when(eb.exists(basis.select('how').where('how', '=', 'override')))
      .then('person')
      .when(eb.exists(proposedByPerson))
      .then('agreement')
      .else('models')
      .end(),
    by_operator: eb
      .case()
      .when(eb.exists(basis.select('how')))
      .then(0)
      .else(1)
      .end(),
    margin: basis.select('margin'),
    threshold: eb.fn.coalesce(basis.select('threshold'), declaredThreshold(db, values)),
  }));
});

type Executed = Pick<RowOf<typeof decisionsTable>, keyof typeof executedColumns>;

function declaredThreshold(db: Kysely<ReadSchema>, { session_id, from_state }: Executed) {
  return db
    .selectFrom('decision_thresholds_v5 as declared')
    .innerJoin('decision_sessions_v5 as session', 'session.machine_hash', 'declared.machine_hash')
    .select('declared.threshold')
    .where('session.session_id', '=', session_id)
    .where('declared.state', '=', from_state);
}

const decisionKey = pick(decisionsTable.columns, ['session_id', 'revision']);

/** Adds a decision, which is there already, to the totals of its state. */
const countDecision = insertRows(
  decisionTotalsTable,
  decisionKey,
  (db, { session_id, revision }) =>
    db
      .selectFrom('decisions_v5')
      .select((of) => [
        'machine_name',
        'from_state',
        'kind',
        of.lit(1).as('decisions'),
        of.case().when('margin', 'is', null).then(of.lit(0)).else(of.lit(1)).end().as('margins'),
        of.fn.coalesce('margin', of.lit(0)).as('margin'),
      ])
      .where('session_id', '=', session_id)
      .where('revision', '=', revision),
  { add: ['decisions', 'margins', 'margin'] },
);

/** Adds the proposals of a decision's round to the totals of those who made them. */
const countProposals = insertRows(
  decisionWinsTable,
  decisionKey,
  (db, { session_id, revision }) =>
    db
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
      .where('decision.session_id', '=', session_id)
      .where('decision.revision', '=', revision)
      .groupBy(['decision.machine_name', 'proposal.specialist_id']),
  { add: ['proposals', 'winning'], highest: ['is_human'] },
);

const onSession: Handlers<SessionEvent> = {
  SessionCreated: created,
  ProposalSubmitted: submitted,
  ProposalSetAside: setAside,
  ConsensusReached: agreed,
  HumanOverrideAccepted: overridden,
  TransitionExecuted: executed,
};

function created({ data }: RecordedEvent<SessionCreated>, sessionId: string): Change[] {
  const { machineName, machineHash, machine } = data;
  return [addSession({ sessionId, machineName, machineHash }), ...thresholdsOf(machineHash, machine)];
}

function thresholdsOf(machineHash: string, machine: MachineDefinition): Change[] {
  return Object.keys(machine.states).flatMap((state) => {
    const threshold = effectiveThreshold(machine, state, {});
    return threshold === undefined ? [] : [addThreshold({ machineHash, state, threshold })];
  });
}

function agreed({ data }: RecordedEvent<ConsensusReached>, sessionId: string): Change[] {
  const { roundId, arbiter, alignment, margin, threshold } = data;
  const arbiterId = arbiter.specialistId;
  return [addBasis({ sessionId, roundId, how: 'consensus', arbiterId, alignment, margin, threshold })];
}

function overridden({ data }: RecordedEvent<HumanOverrideAccepted>, sessionId: string): Change[] {
  const { roundId, specialistId, alignment } = data;
  return [addBasis({ sessionId, roundId, how: 'override', specialistId, alignment })];
}

function executed(event: RecordedEvent<TransitionExecuted>, sessionId: string): Change[] {
  const { data, occurredAt: decidedAt, revision, position } = event;
  const { roundId, proposalId: winningProposalId } = data;
  const logId = position.slice(0, position.lastIndexOf('.'));
  return [
    addDecision({ ...data, sessionId, revision, winningProposalId, decidedAt, position, logId }),
    countDecision({ sessionId, revision }),
    countProposals({ sessionId, revision }),
    endRound({ sessionId, roundId, winner: winningProposalId ?? '' }),
  ];
}

export const decisionTables = [
  decisionSessionsTable,
  decisionThresholdsTable,
  proposalsTable,
  decisionBasesTable,
  decisionsTable,
  decisionTotalsTable,
  decisionWinsTable,
] as const;

/** Every proposal with its fate, and every decision with its basis. */
export const decisionsProjection: Projection<'decisions'> = {
  name: 'decisions',
  version: 5,
  tables: decisionTables,
  on: { session: onSession },
};
