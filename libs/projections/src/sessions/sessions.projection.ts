import { jsonText, type RecordedEvent } from '#lib/kernel';
import type { MachineDefinition } from '#lib/machine';
import {
  type HumanInputRequested,
  type ProposalSubmitted,
  type SessionCreated,
  type SessionEvent,
  statusAt,
  type TransitionExecuted,
} from '#lib/session';
import { storedJson } from '../row/stored-json.js';
import { storedPosition } from '../row/stored-position.js';
import { storedText } from '../row/stored-text.js';
import { storedTime } from '../row/stored-time.js';
import type { Handlers, Projection } from '../runner/projection.js';
import { insertRow, insertRowOnce } from '../store/insert-row.js';
import type { Change } from '../store/statement.js';
import {
  addWait,
  awaitHuman,
  endWait,
  moveSession,
  reopenSession,
  touchSession,
} from './sessions.statements.js';
import {
  sessionMachinesTable,
  sessionMachineStatesTable,
  sessionsTable,
  sessionTransitionsTable,
  sessionWaitsTable,
} from './sessions.tables.js';

const addSession = insertRowOnce(sessionsTable);
const addMachine = insertRowOnce(sessionMachinesTable);
const addMachineState = insertRowOnce(sessionMachineStatesTable);
const addTransition = insertRow(sessionTransitionsTable);

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
  HumanOverrideAccepted: touched,
  TransitionExecuted: moved,
};

function created({ data, occurredAt, revision, position }: RecordedEvent<SessionCreated>, sessionId: string) {
  const { machineName, machineVersion, machineHash, machine, metaJson, initialState, roundId } = data;
  const time = storedTime(occurredAt);
  const session = addSession({
    session_id: sessionId,
    machine_name: machineName,
    machine_version: machineVersion ?? null,
    machine_hash: machineHash,
    current_state: storedText(initialState),
    current_round_id: roundId,
    status: statusAt(machine, initialState),
    meta_json: storedJson(metaJson),
    created_at: time,
    updated_at: time,
    revision,
    position: storedPosition(position),
  });
  return [session, ...machineRows(machineHash, machine)];
}

function machineRows(machineHash: string, machine: MachineDefinition): Change[] {
  const states = Object.keys(machine.states).map((state) =>
    addMachineState({
      machine_hash: machineHash,
      state: storedText(state),
      status: statusAt(machine, state),
    }),
  );
  return [addMachine({ machine_hash: machineHash, definition: jsonText(machine) }), ...states];
}

function touched({ occurredAt, revision }: RecordedEvent<SessionEvent>, sessionId: string): Change[] {
  return [touchSession({ sessionId, revision, updatedAt: storedTime(occurredAt) })];
}

function waiting(
  { data, occurredAt, revision, position }: RecordedEvent<HumanInputRequested>,
  sessionId: string,
): Change[] {
  const since = storedTime(occurredAt);
  const { roundId, reason, detail } = data;
  return [
    awaitHuman({ sessionId, revision, updatedAt: since }),
    addWait({
      session_id: sessionId,
      round_id: roundId,
      reason,
      detail: storedText(detail),
      since,
      position,
    }),
  ];
}

function reopened({ occurredAt, revision }: RecordedEvent<ProposalSubmitted>, sessionId: string): Change[] {
  return [reopenSession({ sessionId, revision, updatedAt: storedTime(occurredAt) }), endWait({ sessionId })];
}

function moved({ data, occurredAt, revision }: RecordedEvent<TransitionExecuted>, sessionId: string) {
  const executedAt = storedTime(occurredAt);
  const toState = storedText(data.toState);
  return [
    endWait({ sessionId }),
    moveSession({ sessionId, toState, roundId: data.nextRoundId, revision, updatedAt: executedAt }),
    addTransition({
      session_id: sessionId,
      revision,
      transition_name: storedText(data.transitionName),
      from_state: storedText(data.fromState),
      to_state: toState,
      reasoning: storedText(data.reasoning),
      meta_json: storedJson(data.metaJson),
      is_human: data.isHuman ? 1 : 0,
      decided_by: data.decidedBy,
      proposal_id: data.proposalId ?? null,
      executed_at: executedAt,
    }),
  ];
}

/** Sessions as `sessionViewAt` shows them after all of their events. */
export const sessionsProjection: Projection<'sessions'> = {
  name: 'sessions',
  version: 2,
  tables: [
    sessionsTable,
    sessionMachinesTable,
    sessionMachineStatesTable,
    sessionTransitionsTable,
    sessionWaitsTable,
  ],
  on: { session: onSession },
};
