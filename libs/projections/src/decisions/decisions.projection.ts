import { jsonText, type RecordedEvent } from '#lib/kernel';
import type { MachineDefinition } from '#lib/machine';
import {
  type ConsensusReached,
  effectiveThreshold,
  type HumanOverrideAccepted,
  type SessionCreated,
  type SessionEvent,
  type TransitionExecuted,
} from '#lib/session';
import { logIdIn, storedPosition } from '../row/stored-position.js';
import { storedText } from '../row/stored-text.js';
import { storedTime } from '../row/stored-time.js';
import { endRound, setAside, submitted } from '../proposals/proposals.statements.js';
import { proposalsTable } from '../proposals/proposals.table.js';
import type { Handlers, Projection } from '../runner/projection.js';
import type { Change } from '../store/statement.js';
import { countDecision, countProposals } from './decision-totals.statements.js';
import { addBasis, addDecision, addSession, addThreshold } from './decisions.statements.js';
import {
  decisionBasesTable,
  decisionSessionsTable,
  decisionsTable,
  decisionThresholdsTable,
  decisionTotalsTable,
  decisionWinsTable,
} from './decisions.tables.js';

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
  return [
    addSession({ session_id: sessionId, machine_name: machineName, machine_hash: machineHash }),
    ...thresholdsOf(machineHash, machine),
  ];
}

function thresholdsOf(machineHash: string, machine: MachineDefinition): Change[] {
  return Object.keys(machine.states).flatMap((state) => {
    const threshold = effectiveThreshold(machine, state, {});
    if (threshold === undefined) return [];
    return [addThreshold({ machine_hash: machineHash, state: storedText(state), threshold })];
  });
}

function agreed({ data }: RecordedEvent<ConsensusReached>, sessionId: string): Change[] {
  return [
    addBasis({
      session_id: sessionId,
      round_id: data.roundId,
      how: 'consensus',
      arbiter_id: data.arbiter.specialistId,
      specialist_id: null,
      alignment: jsonText(data.alignment),
      margin: data.margin ?? null,
      threshold: data.threshold ?? null,
    }),
  ];
}

function overridden({ data }: RecordedEvent<HumanOverrideAccepted>, sessionId: string): Change[] {
  return [
    addBasis({
      session_id: sessionId,
      round_id: data.roundId,
      how: 'override',
      arbiter_id: null,
      specialist_id: data.specialistId,
      alignment: jsonText(data.alignment),
      margin: null,
      threshold: null,
    }),
  ];
}

function executed(
  { data, occurredAt, revision, position }: RecordedEvent<TransitionExecuted>,
  sessionId: string,
): Change[] {
  return [
    addDecision({
      session_id: sessionId,
      revision,
      round_id: data.roundId,
      from_state: storedText(data.fromState),
      to_state: storedText(data.toState),
      transition_name: storedText(data.transitionName),
      is_human: data.isHuman ? 1 : 0,
      winning_proposal_id: data.proposalId ?? null,
      reasoning: storedText(data.reasoning),
      decided_at: storedTime(occurredAt),
      position: storedPosition(position),
      log_id: logIdIn(position),
    }),
    countDecision({ session_id: sessionId, revision }),
    countProposals({ session_id: sessionId, revision }),
    endRound({ sessionId, roundId: data.roundId, winner: data.proposalId ?? '' }),
  ];
}

/** Every proposal that was made, and what became of it; every decision that was taken, and what it rested on. */
export const decisionsProjection: Projection<'decisions'> = {
  name: 'decisions',
  version: 5,
  tables: [
    decisionSessionsTable,
    decisionThresholdsTable,
    proposalsTable,
    decisionBasesTable,
    decisionsTable,
    decisionTotalsTable,
    decisionWinsTable,
  ],
  on: { session: onSession },
};
