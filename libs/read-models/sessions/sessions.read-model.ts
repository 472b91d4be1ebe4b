import { present, type RecordedEvent, shownLabels } from '#lib/kernel';
import type { MachineDefinition } from '#lib/decisions/machines';
import {
  forkOrigin,
  type ProposalSetAside,
  type ProposalStatus,
  type ProposalSubmitted,
  type SessionCreated,
  type SessionEvent,
  type SessionForked,
  statusAt,
  type TransitionExecuted,
} from '#lib/decisions/session';
import { addBasis, addToRound, decided } from '../decisions/rounds.fold.js';
import {
  decisions,
  decisionDays,
  decisionTotals,
  decisionWins,
  openRounds,
  proposals,
} from '../decisions/decisions.tables.js';
import type { DocOf, Folds, NumberedEvent, Page, ReadModel } from '../loop/declare.js';
import { sessionMachines, sessions, type sessionsTable, sessionWaits } from './sessions.tables.js';

type SessionDoc = DocOf<typeof sessionsTable>;

const onSession: Required<Folds<SessionEvent>> = {
  SessionCreated: {
    needs: ({ data }: RecordedEvent<SessionCreated>) => [[sessionMachines, data.machineHash]],
    fold: created,
  },
  ProposalSolicited: touch,
  ProposalSubmitted: (page, event, sessionId) => {
    const session = touch(page, event, sessionId);
    session.status = statusAt(machineOf(page, session), session.currentState);
    page.drop(sessionWaits, sessionId);
    addProposal(page, event, sessionId, 'open');
    addToRound(page, event, sessionId);
  },
  ProposalSetAside: (page, event, sessionId) => {
    touch(page, event, sessionId);
    addProposal(page, event, sessionId, event.data.reason === 'late' ? 'late' : 'lost');
  },
  ProposalFailed: touch,
  ArbitrationRequested: touch,
  ConsensusReached: (page, event, sessionId) => {
    touch(page, event, sessionId);
    const { roundId, arbiter, alignment, margin, threshold } = event.data;
    const basis = { how: 'consensus', arbiterId: arbiter.specialistId, alignment } as const;
    const measured = present({ margin, threshold });
    addBasis(page, { sessionId, roundId }, { ...basis, ...measured });
  },
  ConsensusNotReached: touch,
  VerdictSetAside: touch,
  ArbitrationFailed: touch,
  HumanInputRequested: (page, event, sessionId) => {
    const session = touch(page, event, sessionId);
    const { machineName } = session;
    const { data, occurredAt: since, position } = event;
    const { roundId, reason, detail } = data;
    session.status = 'needs_human';
    page.put(sessionWaits, { sessionId, machineName, roundId, reason, detail, since, position });
  },
  ClockStarted: touch,
  ClockEnded: (page, event, sessionId) => {
    touch(page, event, sessionId);
    // Without a failure the wait has expired: no person can answer it.
    if (!event.data.failure) page.drop(sessionWaits, sessionId);
  },
  SessionForked: {
    needs: ({ data: { machineHash } }) => (machineHash === undefined ? [] : [[sessionMachines, machineHash]]),
    fold: forked,
  },
  SessionClosed: (page, event, sessionId) => {
    touch(page, event, sessionId).status = 'closed';
    page.drop(sessionWaits, sessionId);
  },
  ApprovalGiven: touch,
  HumanOverrideAccepted: (page, event, sessionId) => {
    touch(page, event, sessionId);
    const { roundId, specialistId, alignment, edited } = event.data;
    const basis = { specialistId, alignment, ...(edited && { edited }) };
    addBasis(page, { sessionId, roundId }, { how: 'override', ...basis });
  },
  TransitionExecuted: moved,
};

function created(page: Page, event: NumberedEvent<SessionCreated>, sessionId: string): void {
  if (page.see(sessions, sessionId)) return;
  const { data, occurredAt, revision, number } = event;
  const { machineName, machineVersion, machineHash, machine, initialState, roundId, metaJson } = data;
  const forkedFrom = data.forkedFrom && forkOrigin(data.forkedFrom);
  addMachine(page, machineHash, machine);
  page.put(sessions, {
    sessionId,
    machineName,
    machineVersion,
    machineHash,
    metaJson,
    ...shownLabels(event),
    ...(forkedFrom && { forkedFrom, parentId: forkedFrom.sessionId }),
    currentState: initialState,
    currentRoundId: roundId,
    status: statusAt(machine, initialState),
    createdAt: occurredAt,
    updatedAt: occurredAt,
    revision,
    number,
  });
}

function addMachine(page: Page, machineHash: string, definition: MachineDefinition): void {
  if (!page.see(sessionMachines, machineHash)) page.put(sessionMachines, { machineHash, definition });
}

/** The events before are copies: the session begins here. */
function forked(page: Page, event: NumberedEvent<SessionForked>, sessionId: string): void {
  const session = touch(page, event, sessionId);
  const { machine, machineHash, machineVersion, metaJson } = event.data;
  session.createdAt = event.occurredAt;
  if (metaJson !== undefined) session.metaJson = metaJson;
  if (!machine || machineHash === undefined) return;
  addMachine(page, machineHash, machine);
  Object.assign(session, { machineHash, machineVersion });
  if (session.status === 'open' || session.status === 'done')
    session.status = statusAt(machine, session.currentState);
}

/** The session, moved to the revision of an event. */
function touch(page: Page, { revision, occurredAt }: NumberedEvent, sessionId: string): SessionDoc {
  const session = page.change(sessions, sessionId);
  if (!session) throw new TypeError(`session ${sessionId} was never created`);
  return Object.assign(session, { revision, updatedAt: occurredAt });
}

function machineOf(page: Page, { machineHash }: SessionDoc): MachineDefinition {
  const machine = page.see(sessionMachines, machineHash);
  if (!machine) throw new TypeError(`no session has brought the machine ${machineHash}`);
  return machine.definition;
}

function addProposal(
  page: Page,
  { data, occurredAt: createdAt, number }: NumberedEvent<ProposalSubmitted | ProposalSetAside>,
  sessionId: string,
  status: ProposalStatus,
): void {
  page.add(proposals, { sessionId, status, createdAt, number, ...data });
}

function moved(page: Page, event: NumberedEvent<TransitionExecuted>, sessionId: string): void {
  const session = touch(page, event, sessionId);
  const { machineName } = session;
  const { toState, nextRoundId } = event.data;
  const machine = machineOf(page, session);
  decided(page, event, { sessionId, machineName, machine, isFork: session.forkedFrom !== undefined });
  page.drop(sessionWaits, sessionId);
  const status = statusAt(machine, toState);
  Object.assign(session, { currentState: toState, currentRoundId: nextRoundId, status });
}

/** Sessions as `sessionViewAt` shows them after all their events, with every proposal and every decision. */
export const sessionsModel: ReadModel<'sessions'> = {
  name: 'sessions',
  kinds: [
    sessionMachines,
    sessions,
    sessionWaits,
    openRounds,
    proposals,
    decisions,
    decisionTotals,
    decisionDays,
    decisionWins,
  ],
  of: { session: [sessions, sessionWaits, openRounds] },
  on: { session: onSession },
};
