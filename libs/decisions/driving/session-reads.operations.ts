import { Query } from '@nestjs/cqrs';
import { IsIn, IsString } from 'class-validator';
import { EventLog } from '#lib/event-store';
import { Proposal } from '#lib/decisions/metrics';
import {
  answeredBy,
  currentScope,
  Describe,
  EventsQuery,
  IsId,
  IsWhole,
  Operation,
  Optional,
  Moments,
  page,
  PastPageQuery,
  PastQuery,
  ReadQuery,
  ReadSide,
  readsRows,
  RecordedEventView,
  LabelledPageQuery,
} from '#lib/operations';
import { listOfSession, listProposals, type Page } from '#lib/read-models';
import { verifySession } from './replay/verify-session.js';
import { WorkflowRegistry } from '#lib/workflow';
import {
  evaluateConsensus,
  roundRoster,
  sessionRejections,
  sessionSeen,
  type SessionEvent,
  type SessionStatus,
} from '#lib/decisions/session';
import { Participants } from './drive/participants.js';
import { Consensus, ReplayReport, Session, SessionSummary, STATUSES } from './sessions.views.js';
import { roundContext } from './round-context.js';
import { SessionEvents, type SessionLogEvent } from './session-events.js';
import { SessionReader } from './session-reader.js';
import { SESSION_ROWS, sessionsWithWaits, sessionWithWaits } from './sessions-with-waits.js';
import type { Summarized } from '#lib/summaries';

const { unknownSession } = sessionRejections;

const WITHOUT_HISTORY = '`none` leaves the history empty: of a long session it is nearly the whole answer';

@Operation({
  summary: 'The sessions, newest first, without their machines',
  http: 'GET /v1/sessions',
  cli: 'sessions --state <currentState> --limit <limit=50>',
  access: 'viewer',
  answers: { 200: page(SessionSummary) },
})
export class ListSessions extends LabelledPageQuery<Page<SessionSummary>> {
  @Describe('Only of this machine')
  @Optional()
  @IsString()
  machineName?: string;

  @Describe('Only in this state')
  @Optional()
  @IsString()
  currentState?: string;

  @Describe('Only of this status')
  @Optional()
  @IsIn(STATUSES)
  status?: SessionStatus;

  @Describe('Only forks of this session')
  @Optional()
  @IsId()
  forkedFrom?: string;

  @Describe(WITHOUT_HISTORY)
  @Optional()
  @IsIn(['none'])
  history?: 'none';
}

export const ListSessionsHandler = readsRows(ListSessions, SESSION_ROWS, sessionsWithWaits);

@Operation({
  summary: 'A session as it is: state, round, status, history, machine',
  http: 'GET /v1/sessions/:sessionId',
  access: 'viewer',
  answers: { 200: Session },
})
export class GetSession extends PastQuery<Session> {
  @IsId(unknownSession) sessionId!: string;

  @Describe(WITHOUT_HISTORY)
  @Optional()
  @IsIn(['none'])
  history?: 'none';
}

export const GetSessionHandler = answeredBy(GetSession, [Moments], async (query, moments) => {
  const { sessionId, at, history } = query;
  const moment = await moments.of(sessionSeen(sessionId), at);
  return moment.ask(
    SESSION_ROWS,
    async (db) => (await sessionWithWaits(db, sessionId, history)) ?? unknownSession(sessionId),
  );
});

@Operation({
  summary: 'A session as it was after a revision of its stream',
  http: 'GET /v1/sessions/:sessionId/at/:revision',
  access: 'viewer',
  answers: { 200: Session },
})
export class GetSessionAt extends ReadQuery<Session> {
  @IsId(unknownSession) sessionId!: string;
  @IsWhole() revision!: number;
}

export const GetSessionAtHandler = answeredBy(
  GetSessionAt,
  [SessionReader],
  async ({ sessionId, revision }, sessions) => sessions.at(sessionId, revision),
);

@Operation({
  summary: 'The proposals of a session, or of one round of it, in the order they arrived',
  http: 'GET /v1/sessions/:sessionId/proposals',
  cli: 'proposals <sessionId>',
  access: 'viewer',
  answers: { 200: page(Proposal) },
})
export class ListProposals extends PastPageQuery<Page<Proposal>> {
  @IsId(unknownSession) sessionId!: string;

  @Describe('Only of this round')
  @Optional()
  @IsString()
  roundId?: string;
}

export const ListProposalsHandler = answeredBy(ListProposals, [Moments], async (query, moments) => {
  const { sessionId, roundId, at } = query;
  const filter = { sessionId, ...(roundId !== undefined && { roundId }) };
  const moment = await moments.of(sessionSeen(sessionId), at);
  return moment.ask(['session_events', 'sessions'], (db) =>
    listOfSession(db, sessionId, () => listProposals(db, filter, query)),
  );
});

@Operation({
  summary: "The arbiter's verdict on the current round as it is; nothing is written",
  http: 'GET /v1/sessions/:sessionId/consensus',
  cli: 'consensus <sessionId>',
  access: 'viewer',
  answers: { 200: Consensus },
  problems: [422],
})
export class EvaluateConsensus extends PastQuery<Consensus> {
  @IsId(unknownSession) sessionId!: string;
}

export const EvaluateConsensusHandler = answeredBy(
  EvaluateConsensus,
  [ReadSide, Moments, Participants],
  async ({ sessionId, at }, reads, moments, participants) => {
    await reads.waitForOwnWrites(['specialists', 'alignment'], currentScope().minPosition);
    const moment = await moments.of(sessionSeen(sessionId), at);
    const { log } = moment;
    const history = await log.load<SessionEvent>(log.streams.of('session', sessionId));
    const { session, roundBegan } = roundContext(history, sessionId);
    const present = await participants.of(session, { roundBegan }, moment);
    const { arbiter, ...roster } = roundRoster(session, present);
    if (!arbiter) return sessionRejections.noArbiter(session.machineName, session.currentState);
    return evaluateConsensus(session, arbiter, roster);
  },
);

@Operation({
  summary: 'The events of a session, its solicitations and its arbitrations, in log order',
  http: 'GET /v1/sessions/:sessionId/events',
  cli: 'events <sessionId>',
  access: 'viewer',
  answers: { 200: page(RecordedEventView) },
})
export class ListSessionEvents extends EventsQuery<Page<Summarized<SessionLogEvent>>> {
  @IsId(unknownSession) sessionId!: string;
}

export const ListSessionEventsHandler = answeredBy(
  ListSessionEvents,
  [SessionEvents, Moments],
  async (query, events, moments) =>
    events.page(query.sessionId, query, await moments.of(sessionSeen(query.sessionId), query.at)),
);

@Operation({
  summary: 'Derive every derived event of a session again from its log, and compare; nothing is written',
  http: 'POST /v1/sessions/:sessionId/replay',
  access: 'viewer',
  answers: { 200: ReplayReport },
})
export class ReplaySession extends Query<ReplayReport> {
  @IsId(unknownSession) sessionId!: string;
}

export const ReplaySessionHandler = answeredBy(
  ReplaySession,
  [EventLog, WorkflowRegistry],
  async ({ sessionId }, log, workflows) =>
    (await verifySession(log, sessionId, workflows)) ?? unknownSession(sessionId),
);
