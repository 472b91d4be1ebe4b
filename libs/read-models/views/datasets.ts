import { decisionsTable, proposalsTable } from '../decisions/decisions.tables.js';
import { sessionsTable } from '../sessions/sessions.tables.js';
import { columnIs, type Dataset, dataset } from './dataset.js';
import type { SqlWords } from './sql-words.js';

const NO_TEXT = 'cast(null as text)';

const sessionsDataset = dataset({
  name: 'sessions',
  about: 'One row a session.',
  columns: {
    session_id: columnIs.id('The id of the session'),
    machine_name: columnIs.text('Its machine'),
    machine_version: columnIs.number(
      'The version of the machine; null for a machine that came with the session',
    ),
    machine_hash: columnIs.text('The hash of the definition'),
    current_state: columnIs.text('The current state'),
    status: columnIs.text(
      '`open`, `needs_human`, `done` or `closed`, by its own stream: a waiting run below it leaves it `open`',
    ),
    key: columnIs.text('The key that its creator gave'),
    tags: columnIs.json('Texts by name, as JSON text'),
    meta_json: columnIs.json('The facts of the case, as JSON text'),
    created_at: columnIs.text('The time of its creation'),
    updated_at: columnIs.text('The time of its last event'),
    revision: columnIs.number('The revision of its last event'),
  },
  parts: (words) => [
    {
      values: {
        session_id: 's.session_id',
        machine_name: 's.machine_name',
        machine_version: 's.machine_version',
        machine_hash: 's.machine_hash',
        current_state: 's.current_state',
        status: 's.status',
        key: 's.key',
        tags: 's.tags',
        meta_json: 's.meta_json',
        created_at: words.time('s.created_at'),
        updated_at: words.time('s.updated_at'),
        revision: 's.revision',
      },
      from: `${sessionsTable.name} s`,
      where: 's.parent_id is null',
      key: 's.number',
      time: 's.created_at',
      machine: 's.machine_name',
    },
  ],
});

const decided = `${decisionsTable.name} d`;

/** The members that decisions and rounds share. */
function decisionValues(words: SqlWords) {
  return {
    session_id: 'd.session_id',
    round_id: 'd.round_id',
    machine_name: 'd.machine_name',
    how: 'd.how',
    kind: 'd.kind',
    transition_name: 'd.transition_name',
    decided_at: words.time('d.decided_at'),
  };
}

const HOW = '`consensus` of an arbiter, `override` of a person, `operator` or `timer`';
const KIND =
  'The author: `person` against or without the models, `agreement` of an arbiter on a transition that a person had also proposed, `models` alone, `operator` or `timer`';

const decisionsDataset = dataset({
  name: 'decisions',
  about: 'One row for each decided round: every executed transition.',
  columns: {
    session_id: columnIs.id('The session'),
    round_id: columnIs.id('The round'),
    revision: columnIs.number('The revision of the decision in the stream of the session'),
    machine_name: columnIs.text('The machine of the session'),
    from_state: columnIs.text('The state in which it was decided'),
    to_state: columnIs.text('The state after the decision'),
    transition_name: columnIs.text('The transition that was chosen'),
    how: columnIs.text(HOW),
    kind: columnIs.text(KIND),
    is_human: columnIs.flag('A person decided'),
    decided_by: columnIs.text('A specialist, a person, `default`, `operator` or `timer`'),
    winning_proposal_id: columnIs.id('The winning proposal; null without one'),
    margin: columnIs.number('From 0 to 1, of an arbiter that measures one'),
    threshold: columnIs.number('The required margin'),
    decided_at: columnIs.text('The time of the transition'),
    day: columnIs.text('The UTC day of that'),
  },
  parts: (words) => [
    {
      values: {
        ...decisionValues(words),
        revision: 'd.revision',
        from_state: 'd.from_state',
        to_state: 'd.to_state',
        is_human: 'd.is_human',
        decided_by: 'd.decided_by',
        winning_proposal_id: 'd.winning_proposal_id',
        margin: 'd.margin',
        threshold: 'd.threshold',
        day: words.day('d.decided_at'),
      },
      from: decided,
      where: 'd.is_fork = 0',
      key: 'd.number',
      time: 'd.decided_at',
      machine: 'd.machine_name',
    },
  ],
});

const roundsDataset = dataset({
  name: 'rounds',
  about: 'One row for each round: decided ones, and the current round of each session that is not at rest.',
  columns: {
    session_id: columnIs.id('The session'),
    round_id: columnIs.id('The round'),
    machine_name: columnIs.text('The machine of the session'),
    state: columnIs.text('The state of the round'),
    is_decided: columnIs.flag('It was decided'),
    how: columnIs.text(`${HOW}; null while it is open`),
    kind: columnIs.text(`${KIND}; null while it is open`),
    transition_name: columnIs.text('The transition that was chosen; null while it is open'),
    decided_at: columnIs.text('The time of the decision; null while it is open'),
    proposals: columnIs.number('The number of its proposals, with late ones'),
  },
  parts: (words) => [
    {
      values: {
        ...decisionValues(words),
        state: 'd.from_state',
        is_decided: '1',
        proposals: proposalsIn('d.session_id', 'd.round_id'),
      },
      from: decided,
      where: 'd.is_fork = 0',
      key: 'd.number',
      time: 'd.decided_at',
      machine: 'd.machine_name',
    },
    {
      values: {
        session_id: 's.session_id',
        round_id: 's.current_round_id',
        machine_name: 's.machine_name',
        state: 's.current_state',
        is_decided: '0',
        how: NO_TEXT,
        kind: NO_TEXT,
        transition_name: NO_TEXT,
        decided_at: NO_TEXT,
        proposals: proposalsIn('s.session_id', 's.current_round_id'),
      },
      from: `${sessionsTable.name} s`,
      where: "s.parent_id is null and s.status in ('open', 'needs_human')",
      key: 's.number',
      time: 's.updated_at',
      machine: 's.machine_name',
    },
  ],
});

function proposalsIn(sessionId: string, roundId: string): string {
  return `(select count(*) from ${proposalsTable.name} p where p.session_id = ${sessionId} and p.round_id = ${roundId})`;
}

const proposalsDataset = dataset({
  name: 'proposals',
  about: 'One row for each proposal, with late ones.',
  columns: {
    proposal_id: columnIs.id('The id of the proposal'),
    session_id: columnIs.id('The session'),
    round_id: columnIs.id('The round'),
    machine_name: columnIs.text('The machine of the session'),
    specialist_id: columnIs.text('Who proposed'),
    specialist_version: columnIs.number('The version of the specialist'),
    is_human: columnIs.flag('A person proposed'),
    transition_name: columnIs.text('The proposed transition'),
    to_state: columnIs.text('The state that it leads to'),
    status: columnIs.text('`open`, `won`, `lost` or `late`'),
    cost_usd: columnIs.number(
      'As reported by the proposer, or by the prices in force at the calls; null if unknown',
    ),
    latency_msec: columnIs.number('The time that the proposer took, in milliseconds'),
    num_input_tokens: columnIs.number('Tokens of the prompts'),
    num_output_tokens: columnIs.number('Tokens of the replies'),
    solicitation_id: columnIs.id('The run that gave it; null for a proposal stated by a caller'),
    created_at: columnIs.text('When it was recorded'),
    is_late: columnIs.flag('It arrived after the end of its round: no arbiter saw it'),
  },
  parts: (words) => [
    {
      values: {
        proposal_id: 'p.proposal_id',
        session_id: 'p.session_id',
        round_id: 'p.round_id',
        machine_name: 's.machine_name',
        specialist_id: 'p.specialist_id',
        specialist_version: 'p.specialist_version',
        is_human: 'p.is_human',
        transition_name: 'p.transition_name',
        to_state: 'p.to_state',
        status: STATUS_NOW,
        cost_usd: 'p.cost_usd',
        latency_msec: 'p.latency_msec',
        num_input_tokens: 'p.num_input_tokens',
        num_output_tokens: 'p.num_output_tokens',
        solicitation_id: 'p.solicitation_id',
        created_at: words.time('p.created_at'),
        is_late: "case when p.status = 'late' then 1 else 0 end",
      },
      from: `${proposalsTable.name} p join ${sessionsTable.name} s on s.session_id = p.session_id`,
      where: 's.parent_id is null',
      key: 'p.number',
      time: 'p.created_at',
      machine: 's.machine_name',
    },
  ],
});

/** As `statusNow`: the status of a counting proposal follows from the next decision of its session. */
const STATUS_NOW = `case when p.status <> 'open' then p.status else coalesce((
  select case when d.winning_proposal_id = p.proposal_id then 'won' else 'lost' end from ${decided}
  where d.session_id = p.session_id and d.number > p.number order by d.number limit 1), 'open') end`;

export const datasetsOfSessions: readonly Dataset[] = [
  sessionsDataset,
  roundsDataset,
  decisionsDataset,
  proposalsDataset,
];
