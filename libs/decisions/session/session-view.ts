import { type JsonObject, present, type RecordedEvent, shownLabels, type ShownLabels } from '#lib/kernel';
import { type ForkedFrom, idInStream } from '#lib/event-store';
import { isAtRest, type MachineDefinition } from '#lib/decisions/machines';
import type {
  PastTransition,
  SessionCreated,
  SessionEvent,
  SessionForked,
  TransitionExecuted,
} from './session.events.js';

/**
 * `done`: at rest, in the goal or in a state without transitions. `needs_human`: no specialist is left to decide the round
 * without a person; a new proposal opens it again. `closed`: an operator has ended it before it was done.
 */
export type SessionStatus = 'open' | 'needs_human' | 'done' | 'closed';

/** One executed transition of a session's history. */
export interface TransitionRecord extends PastTransition {
  readonly isHuman: boolean;
  /** A specialist, "default", "operator" or "timer". */
  readonly decidedBy: string;
  readonly proposalId?: string;
  /** ISO 8601, UTC. */
  readonly executionTimestamp: string;
}

/** The parent of a fork, and the last copied revision. */
export interface ForkOrigin extends Pick<ForkedFrom, 'revision' | 'by' | 'reason'> {
  readonly sessionId: string;
}

/** A session, for readers. Times are ISO 8601, UTC. */
export interface SessionView extends ShownLabels {
  readonly sessionId: string;
  readonly machineName: string;
  readonly machineVersion?: number;
  readonly machineHash: string;
  readonly currentState: string;
  readonly currentRoundId: string;
  readonly status: SessionStatus;
  readonly history: readonly TransitionRecord[];
  readonly machine: MachineDefinition;
  readonly metaJson?: JsonObject;
  readonly forkedFrom?: ForkOrigin;
  readonly createdAt: string;
  readonly updatedAt: string;
  /** The revision of the session's stream in this view. */
  readonly revision: number;
}

/** The session after a prefix of its stream, from revision 0; `undefined` for an empty one. Reading writes nothing. */
export function sessionViewAt(events: readonly RecordedEvent<SessionEvent>[]): SessionView | undefined {
  return events.reduce<SessionView | undefined>(evolveView, undefined);
}

function evolveView(
  view: SessionView | undefined,
  event: RecordedEvent<SessionEvent>,
): SessionView | undefined {
  if (event.type === 'SessionCreated') return view ?? createdView(event);
  if (!view) return view;
  const seen = { ...view, revision: event.revision, updatedAt: event.occurredAt };
  switch (event.type) {
    case 'HumanInputRequested':
      return { ...seen, status: 'needs_human' };
    case 'SessionForked':
      return forkedView(seen, event);
    case 'SessionClosed':
      return { ...seen, status: 'closed' };
    case 'ProposalSubmitted':
      return { ...seen, status: statusAt(seen.machine, seen.currentState) };
    case 'TransitionExecuted':
      return advancedView(seen, event);
    default:
      return seen;
  }
}

function createdView(event: RecordedEvent<SessionCreated>): SessionView {
  const { data, occurredAt, revision } = event;
  const { sessionId, machineName, machineVersion, machineHash, machine, metaJson, initialState, roundId } =
    data;
  const { forkedFrom } = data;
  return {
    sessionId,
    machineName,
    ...(machineVersion !== undefined && { machineVersion }),
    machineHash,
    currentState: initialState,
    currentRoundId: roundId,
    status: statusAt(machine, initialState),
    history: [],
    machine,
    ...(metaJson !== undefined && { metaJson }),
    ...shownLabels(event),
    ...(forkedFrom && { forkedFrom: forkOrigin(forkedFrom) }),
    createdAt: occurredAt,
    updatedAt: occurredAt,
    revision,
  };
}

/** The runs of a fork: the effects that they may have, and the people who forked it; `undefined` if the session is no fork. */
export function runsOfFork(events: readonly SessionEvent[]) {
  const forks = events.filter((event) => event.type === 'SessionForked');
  const last = forks.at(-1);
  const by = forks.flatMap(({ data }) => data.by ?? []);
  return last && { fork: last.data.effects, ...(by.length > 0 && { forkedBy: by }) };
}

/** The origin of a fork, for readers. */
export function forkOrigin({ stream, revision, by, reason }: ForkedFrom): ForkOrigin {
  return { sessionId: idInStream(stream), revision, by, ...(reason !== undefined && { reason }) };
}

function forkedView(view: SessionView, { data, occurredAt }: RecordedEvent<SessionForked>): SessionView {
  const { machineVersion: before, ...rest } = view;
  const { machine = view.machine, machineHash = view.machineHash, metaJson = view.metaJson } = data;
  const machineVersion = data.machine ? data.machineVersion : before;
  const isAsBefore = view.status === 'needs_human' || view.status === 'closed';
  return {
    ...rest,
    machine,
    machineHash,
    ...present({ machineVersion, metaJson }),
    status: isAsBefore ? view.status : statusAt(machine, view.currentState),
    createdAt: occurredAt,
  };
}

function advancedView(view: SessionView, event: RecordedEvent<TransitionExecuted>): SessionView {
  const { nextRoundId, toState } = event.data;
  return {
    ...view,
    currentState: toState,
    currentRoundId: nextRoundId,
    status: statusAt(view.machine, toState),
    history: [...view.history, transitionRecord(event)],
  };
}

/** The history entry of an executed transition. */
export function transitionRecord({ data, occurredAt }: RecordedEvent<TransitionExecuted>): TransitionRecord {
  const { transitionName, fromState, toState, reasoning, metaJson, isHuman, decidedBy, proposalId } = data;
  return {
    transitionName,
    fromState,
    toState,
    reasoning,
    ...(metaJson !== undefined && { metaJson }),
    isHuman,
    decidedBy,
    ...(proposalId !== undefined && { proposalId }),
    executionTimestamp: occurredAt,
  };
}

/** The status of a session in a state of its machine. */
export function statusAt(machine: MachineDefinition, state: string): SessionStatus {
  return isAtRest(machine, state) ? 'done' : 'open';
}
