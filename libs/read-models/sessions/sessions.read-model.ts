import type { Expression, ExpressionBuilder } from 'kysely';
import type { JsonObject, RecordedEvent } from '#lib/kernel';
import type { MachineDefinition } from '#lib/decisions/machines';
import {
  type HumanInputReason,
  type HumanInputRequested,
  type ProposalSubmitted,
  type SessionCreated,
  type SessionEvent,
  type SessionStatus,
  statusAt,
  type TransitionExecuted,
} from '#lib/decisions/session';
import type { Handlers, Projection } from '../runner/projection.js';
import { flag, freeText, hidden, json, logNumber, optional, time, word, uuid } from '../store/columns.js';
import type { ReadSchema } from '../store/read-schema.js';
import { deleteRow, insertRow, insertRowOnce, updateRow } from '../store/row-changes.js';
import { type Change, statement } from '../store/statement.js';
import { pick, table } from '../store/table.js';

export const sessionsTable = table(
  'sessions_v2',
  {
    session_id: uuid,
    machine_name: 'text',
    machine_version: 'integer?',
    machine_hash: 'text',
    current_state: freeText,
    current_round_id: uuid,
    status: word<SessionStatus>(),
    meta_json: optional(json<JsonObject>()),
    created_at: time,
    updated_at: time,
    revision: 'integer',
    /** The position of its first event: the order of lists. */
    position: hidden(logNumber),
  },
  ['session_id'],
  [['position'], ['status', 'position'], ['status', 'updated_at'], ['machine_name', 'position']],
);

/** Each machine that a session runs, once for each hash. */
const sessionMachinesTable = table(
  'session_machines_v2',
  { machine_hash: 'text', definition: json<MachineDefinition>() },
  ['machine_hash'],
);

/** The status that a session has in each state of its machine. */
const sessionMachineStatesTable = table(
  'session_machine_states_v2',
  { machine_hash: 'text', state: freeText, status: word<SessionStatus>() },
  ['machine_hash', 'state'],
);

export const sessionTransitionsTable = table(
  'session_transitions_v2',
  {
    session_id: hidden(uuid),
    revision: hidden('integer'),
    transition_name: freeText,
    from_state: freeText,
    to_state: freeText,
    reasoning: freeText,
    meta_json: optional(json<JsonObject>()),
    is_human: flag,
    decided_by: 'text',
    proposal_id: optional(uuid),
    executed_at: time,
  },
  ['session_id', 'revision'],
);

/** Sessions that wait for a person. */
export const sessionWaitsTable = table(
  'session_waits_v2',
  {
    session_id: uuid,
    machine_name: 'text',
    round_id: uuid,
    reason: word<HumanInputReason>(),
    /** For people: why no decision was reached. */
    detail: freeText,
    since: time,
    /** The position of the event that asks for a person: the order of the inbox. */
    position: hidden('text'),
  },
  ['session_id'],
  [['position'], ['machine_name', 'position']],
);

const addSession = insertRowOnce(sessionsTable);
const addMachine = insertRowOnce(sessionMachinesTable);
const addMachineState = insertRowOnce(sessionMachineStatesTable);
const addTransition = insertRow(sessionTransitionsTable);
const endWait = deleteRow(sessionWaitsTable, ['session_id']);

const touchSession = updateRow(sessionsTable, ['session_id'], ['revision', 'updated_at']);
const setStatus = updateRow(sessionsTable, ['session_id'], ['status', 'revision', 'updated_at']);

/** A session moved to another state. */
const moveSession = statement(
  pick(sessionsTable.columns, ['session_id', 'current_state', 'current_round_id', 'revision', 'updated_at']),
  (db, { session_id, ...moved }) =>
    db
      .updateTable('sessions_v2')
      .set((eb) => ({ ...moved, status: statusIn(eb, eb.val(moved.current_state)) }))
      .where('session_id', '=', session_id),
);

/** Something new was proposed: the session has the status of its state again. */
const reopenSession = statement(
  pick(sessionsTable.columns, ['session_id', 'revision', 'updated_at']),
  (db, { session_id, ...seen }) =>
    db
      .updateTable('sessions_v2')
      .set((eb) => ({ ...seen, status: statusIn(eb, eb.ref('sessions_v2.current_state')) }))
      .where('session_id', '=', session_id),
);

/** Refused if the session was never created. One that waits already waits for the newer reason. */
const addWait = statement(
  pick(sessionWaitsTable.columns, ['session_id', 'round_id', 'reason', 'detail', 'since', 'position']),
  (db, { session_id, ...wait }) => {
    const session = db.selectFrom('sessions_v2').where('session_id', '=', session_id);
    return db
      .insertInto('session_waits_v2')
      .values({ session_id, ...wait, machine_name: session.select('machine_name') })
      .onConflict((conflict) => conflict.column('session_id').doUpdateSet(wait));
  },
);

/** A session in a state that its machine does not have is at rest. */
function statusIn(eb: ExpressionBuilder<ReadSchema, 'sessions_v2'>, state: Expression<string>) {
  return eb.fn.coalesce(
    eb
      .selectFrom('session_machine_states_v2 as known')
      .select('known.status')
      .whereRef('known.machine_hash', '=', 'sessions_v2.machine_hash')
      .where('known.state', '=', state),
    eb.val<SessionStatus>('done'),
  );
}

const onSession: Required<Handlers<SessionEvent>> = {
  SessionCreated: created,
  ProposalSolicited: touched,
  ProposalSubmitted: reopened,
  ProposalSetAside: touched,
  ProposalFailed: touched,
  ArbitrationRequested: touched,
  ConsensusReached: touched,
  ConsensusNotReached: touched,
  VerdictSetAside: touched,
  ArbitrationFailed: touched,
  HumanInputRequested: waiting,
  ApprovalGiven: touched,
  HumanOverrideAccepted: touched,
  TransitionExecuted: moved,
};

function created({ data, occurredAt, revision, position }: RecordedEvent<SessionCreated>, sessionId: string) {
  const { machineHash, machine, initialState, roundId } = data;
  const session = addSession({
    ...data,
    sessionId,
    currentState: initialState,
    currentRoundId: roundId,
    status: statusAt(machine, initialState),
    createdAt: occurredAt,
    updatedAt: occurredAt,
    revision,
    position,
  });
  return [session, ...machineRows(machineHash, machine)];
}

function machineRows(machineHash: string, machine: MachineDefinition): Change[] {
  const states = Object.keys(machine.states).map((state) =>
    addMachineState({ machineHash, state, status: statusAt(machine, state) }),
  );
  return [addMachine({ machineHash, definition: machine }), ...states];
}

function touched({ occurredAt: updatedAt, revision }: RecordedEvent<SessionEvent>, sessionId: string) {
  return [touchSession({ sessionId, revision, updatedAt })];
}

function waiting(event: RecordedEvent<HumanInputRequested>, sessionId: string): Change[] {
  const { data, occurredAt: since, revision, position } = event;
  return [
    setStatus({ sessionId, status: 'needs_human', revision, updatedAt: since }),
    addWait({ ...data, sessionId, since, position }),
  ];
}

function reopened({ occurredAt: updatedAt, revision }: RecordedEvent<ProposalSubmitted>, sessionId: string) {
  return [reopenSession({ sessionId, revision, updatedAt }), endWait({ sessionId })];
}

function moved({ data, occurredAt, revision }: RecordedEvent<TransitionExecuted>, sessionId: string) {
  const to = { currentState: data.toState, currentRoundId: data.nextRoundId };
  return [
    endWait({ sessionId }),
    moveSession({ ...to, sessionId, revision, updatedAt: occurredAt }),
    addTransition({ ...data, sessionId, revision, executedAt: occurredAt }),
  ];
}

export const sessionTables = [
  sessionsTable,
  sessionMachinesTable,
  sessionMachineStatesTable,
  sessionTransitionsTable,
  sessionWaitsTable,
] as const;

/** Sessions as `sessionViewAt` shows them after all of their events. */
export const sessionsProjection: Projection<'sessions'> = {
  name: 'sessions',
  version: 2,
  tables: sessionTables,
  on: { session: onSession },
};
