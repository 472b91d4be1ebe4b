import { withApproval } from '#lib/candidates';
import { labelsOf, present } from '#lib/kernel';
import type {
  ApprovalGiven,
  ArbitrationFailed,
  ArbitrationRequested,
  ClockEnded,
  ClockStarted,
  ConsensusNotReached,
  HumanInputRequested,
  ProposalFailed,
  ProposalSetAside,
  ProposalSolicited,
  ProposalSubmitted,
  SessionCreated,
  SessionEvent,
  SessionForked,
  TransitionExecuted,
  VerdictSetAside,
} from './session.events.js';
import { whySetAside } from './arbitration/set-aside.js';
import type { SolicitationFailure } from './failures.js';
import { currentRound, type Judgement, type Session, type SessionState } from './session.state.js';

/** Total: an impossible or unknown event leaves the state unchanged. */
export function evolveSession(state: SessionState, event: SessionEvent): SessionState {
  if (event.type === 'SessionCreated') return state ?? created(event);
  if (state === null) return state;
  switch (event.type) {
    case 'ProposalSolicited':
      return solicited(state, event);
    case 'ProposalSubmitted':
      return submitted(closed(state, event.data.solicitationId), event);
    case 'ProposalSetAside':
    case 'ProposalFailed':
      return unproposed(closed(state, event.data.solicitationId), event);
    case 'ArbitrationRequested':
      return requested(state, event);
    case 'ConsensusNotReached':
    case 'VerdictSetAside':
    case 'ArbitrationFailed':
      return judged(state, event);
    case 'ConsensusReached':
      return arbitrated(state, event.data.arbitrationId);
    case 'HumanInputRequested':
      return waiting(state, event);
    case 'ClockEnded':
      return clockEnded(state, event);
    case 'SessionForked':
      return forked(state, event);
    case 'SessionClosed':
      return { ...state, isClosed: true, clocks: {} };
    case 'ClockStarted':
      return clockStarted(state, event);
    case 'ApprovalGiven':
      return approved(state, event);
    case 'HumanOverrideAccepted':
      return state;
    case 'TransitionExecuted':
      return advanced(state, event);
    default:
      event satisfies never;
      return state;
  }
}

function created({ data }: SessionCreated): Session {
  const { sessionId, machineName, machine, machineVersion, metaJson, initialState, roundId } = data;
  const { specialistVersions = {}, actorTokenHashes, earlier = [], by, clockId } = data;
  return {
    sessionId,
    machineName,
    machine,
    ...(machineVersion !== undefined && { machineVersion }),
    specialistVersions,
    ...(actorTokenHashes && { actorTokenHashes }),
    creators: by === undefined ? [] : [by],
    ...(metaJson !== undefined && { metaJson }),
    labels: labelsOf(data),
    currentState: initialState,
    rounds: [{ roundId, state: initialState }],
    earlier,
    history: [],
    proposals: [],
    statedBy: [],
    personal: [],
    approvals: [],
    solicitations: [],
    asked: [],
    invalid: [],
    arbitrations: [],
    awaitsHuman: false,
    isClosed: false,
    waits: 0,
    isExpired: false,
    clocks: clockId === undefined ? {} : { round: clockId },
    waitClocks: [],
    timedInARow: 0,
    isSpotCheck: false,
  };
}

/** Open calls and clocks belong to the parent. */
function forked(session: Session, { data }: SessionForked): Session {
  const { effects, by, freshRound, machine = session.machine, metaJson = session.metaJson, clockId } = data;
  const { machineVersion: known, ...rest } = session;
  const version = data.machine ? data.machineVersion : known;
  const open = session.solicitations.filter(({ roundId }) => roundId === currentRound(session).roundId);
  return {
    ...rest,
    machine,
    creators: by === undefined ? session.creators : [...session.creators, by],
    ...present({ machineVersion: version, metaJson }),
    fork: {
      effects,
      specialists: { ...session.fork?.specialists, ...data.specialists },
      lacks: data.lacks ?? session.fork?.lacks ?? [],
    },
    ...(freshRound && { approvals: [] }),
    solicitations: [],
    asked: session.asked.filter((id) => open.every(({ specialistId }) => specialistId !== id)),
    arbitrations: [],
    clocks: clockId === undefined ? {} : { round: clockId },
    waitClocks: [],
  };
}

function waiting(session: Session, { data: { reason, clockId } }: HumanInputRequested): Session {
  const { wait: _, ...clocks } = session.clocks;
  return {
    ...session,
    awaitsHuman: true,
    waits: session.waits + 1,
    isExpired: false,
    clocks: clockId === undefined ? clocks : { ...clocks, wait: clockId },
    waitClocks: clockId === undefined ? [] : [clockId],
    isSpotCheck: session.isSpotCheck || reason === 'spot-check',
  };
}

function clockStarted(session: Session, { data: { clockId: wait } }: ClockStarted): Session {
  return {
    ...session,
    clocks: { ...session.clocks, wait },
    waitClocks: [...session.waitClocks, wait],
  };
}

function clockEnded(session: Session, { data: { clockId, failure } }: ClockEnded): Session {
  const running = Object.entries(session.clocks).filter(([, id]) => id !== clockId);
  const isExpired = session.isExpired || failure === undefined;
  return { ...session, clocks: Object.fromEntries(running), isExpired };
}

/** A proposer may be asked about a past round: it then counts as asked in that round only. */
function solicited(session: Session, { data }: ProposalSolicited): Session {
  const isCurrent = data.roundId === currentRound(session).roundId;
  return {
    ...session,
    solicitations: [...session.solicitations, data],
    asked: isCurrent ? [...session.asked, data.specialistId] : session.asked,
  };
}

function closed(session: Session, solicitationId: string | undefined): Session {
  if (solicitationId === undefined) return session;
  return {
    ...session,
    solicitations: session.solicitations.filter((open) => open.solicitationId !== solicitationId),
  };
}

const INVALID: readonly SolicitationFailure['kind'][] = [
  'unreadable-decision',
  'invalid-choice',
  'invalid-arguments',
];

/** Notes proposers whose answer was not a proposal; a failed call does not count. */
function unproposed(session: Session, { type, data }: ProposalFailed | ProposalSetAside): Session {
  const isInvalid =
    type === 'ProposalFailed' ? INVALID.includes(data.failure.kind) : data.reason === 'invalid';
  const isCurrent = data.roundId === currentRound(session).roundId;
  return isInvalid && isCurrent ? { ...session, invalid: [...session.invalid, data.specialistId] } : session;
}

/** The author is left out: arbiters and proposers do not see it. */
function submitted(session: Session, { data }: ProposalSubmitted): Session {
  const { by, ...proposal } = data;
  const isPersonal = proposal.isHuman || by !== undefined;
  return {
    ...session,
    proposals: [...session.proposals, proposal],
    ...(by !== undefined && { statedBy: [...session.statedBy, by] }),
    ...(isPersonal && { personal: [...session.personal, proposal.proposalId] }),
    awaitsHuman: false,
  };
}

function approved(session: Session, { data }: ApprovalGiven): Session {
  const { by, transitionName, metaJson, proposalId } = data;
  const approval = {
    by,
    transitionName,
    ...present({ metaJson, proposalId }),
  };
  return { ...session, approvals: withApproval(session.approvals, approval) };
}

function requested(session: Session, { data }: ArbitrationRequested): Session {
  const { arbitrationId, roundId, given, ...basis } = data;
  return {
    ...session,
    arbitrations: [...session.arbitrations, { arbitrationId, roundId, basis, given }],
  };
}

function arbitrated(session: Session, arbitrationId: string): Session {
  return {
    ...session,
    arbitrations: session.arbitrations.filter((open) => open.arbitrationId !== arbitrationId),
  };
}

function judged(session: Session, event: ConsensusNotReached | VerdictSetAside | ArbitrationFailed): Session {
  const judgement = judgementOf(session, event);
  const open = arbitrated(session, event.data.arbitrationId);
  const isCurrent = event.data.roundId === currentRound(session).roundId;
  return judgement && isCurrent ? { ...open, judgement } : open;
}

function judgementOf(
  session: Session,
  event: ConsensusNotReached | VerdictSetAside | ArbitrationFailed,
): Judgement | undefined {
  const { arbitrationId } = event.data;
  if (event.type === 'ConsensusNotReached') {
    const { roundId: _, arbitrationId: __, spent: ___, reasoning, margin, ...rest } = event.data;
    const { leftToPeople, ...basis } = rest;
    const measured = margin !== undefined && { margin };
    const outcome = leftToPeople === undefined ? 'no-consensus' : 'needs-person';
    return { arbitrationId, basis, outcome, reasoning, ...measured };
  }
  const basis = session.arbitrations.find((open) => open.arbitrationId === arbitrationId)?.basis;
  const reasoning =
    event.type === 'ArbitrationFailed' ? event.data.failure.message : `the ${whySetAside(event.data.reason)}`;
  return basis && { arbitrationId, basis, outcome: 'failed', reasoning };
}

function advanced(session: Session, { data }: TransitionExecuted): Session {
  const { transitionName, fromState, toState, reasoning, metaJson, nextRoundId, clockId, timedBy } = data;
  const past = { transitionName, fromState, toState, reasoning, ...(metaJson !== undefined && { metaJson }) };
  const { judgement: _, ...rest } = session;
  return {
    ...rest,
    currentState: toState,
    rounds: [...session.rounds, { roundId: nextRoundId, state: toState }],
    history: [...session.history, past],
    proposals: [],
    statedBy: [],
    personal: [],
    approvals: [],
    asked: [],
    invalid: [],
    awaitsHuman: false,
    waits: 0,
    isExpired: false,
    clocks: clockId === undefined ? {} : { round: clockId },
    waitClocks: [],
    timedInARow: timedBy === undefined ? 0 : session.timedInARow + 1,
    isSpotCheck: false,
  };
}
