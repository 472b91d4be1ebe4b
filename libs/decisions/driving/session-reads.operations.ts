import { Query } from '@nestjs/cqrs';
import { EventLog } from '#lib/event-store';
import { Proposal } from '#lib/decisions/metrics';
import {
  answeredBy,
  currentScope,
  eventsMembers,
  input,
  is,
  labelledPageMembers,
  Moments,
  Operation,
  page,
  pastMembers,
  pastPageMembers,
  readMembers,
  ReadSide,
  readsRows,
  RecordedEventView,
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
} from '#lib/decisions/session';
import { Participants } from './drive/participants.js';
import { Consensus, ReplayReport, Session, SessionSummary, STATUSES } from './sessions.views.js';
import { roundContext } from './round-context.js';
import { SessionEvents, type SessionLogEvent } from './session-events.js';
import { SessionReader } from './session-reader.js';
import { SESSION_ROWS, sessionsWithWaits, sessionWithWaits } from './sessions-with-waits.js';
import type { Summarized } from '#lib/summaries';

const { unknownSession } = sessionRejections;

const WITHOUT_HISTORY = '`none` leaves the history empty: in a long session it is most of the answer';

@Operation({
  summary: 'The sessions, newest first, without their machines',
  http: 'GET /v1/sessions',
  cli: 'sessions --state <currentState> --limit <limit=50>',
  access: 'viewer',
  answers: { 200: page(SessionSummary) },
})
export class ListSessions extends input(Query<Page<SessionSummary>>, {
  machineName: is.text.optional.about('Only of this machine'),
  currentState: is.text.optional.about('Only in this state'),
  status: is.oneOf(STATUSES).optional.about('Only of this status'),
  forkedFrom: is.id.optional.about('Only forks of this session'),
  history: is.oneOf(['none']).optional.about(WITHOUT_HISTORY),
  ...labelledPageMembers,
}) {}

export const ListSessionsHandler = readsRows(ListSessions, SESSION_ROWS, sessionsWithWaits);

@Operation({
  summary: 'The current session: state, round, status, history, machine',
  http: 'GET /v1/sessions/:sessionId',
  access: 'viewer',
  answers: { 200: Session },
})
export class GetSession extends input(Query<Session>, {
  sessionId: is.idOf(unknownSession),
  history: is.oneOf(['none']).optional.about(WITHOUT_HISTORY),
  ...pastMembers,
}) {}

export const GetSessionHandler = answeredBy(GetSession, [Moments], async (query, moments) => {
  const { sessionId, at, history } = query;
  const moment = await moments.of(sessionSeen(sessionId), at);
  return moment.ask(
    SESSION_ROWS,
    async (db) => (await sessionWithWaits(db, sessionId, history)) ?? unknownSession(sessionId),
  );
});

@Operation({
  summary: 'The session after a revision of its stream',
  http: 'GET /v1/sessions/:sessionId/at/:revision',
  access: 'viewer',
  answers: { 200: Session },
})
export class GetSessionAt extends input(Query<Session>, {
  sessionId: is.idOf(unknownSession),
  revision: is.whole(),
  ...readMembers,
}) {}

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
export class ListProposals extends input(Query<Page<Proposal>>, {
  sessionId: is.idOf(unknownSession),
  roundId: is.text.optional.about('Only of this round'),
  ...pastPageMembers,
}) {}

export const ListProposalsHandler = answeredBy(ListProposals, [Moments], async (query, moments) => {
  const { sessionId, roundId, at } = query;
  const filter = { sessionId, ...(roundId !== undefined && { roundId }) };
  const moment = await moments.of(sessionSeen(sessionId), at);
  return moment.ask(['session_events', 'sessions'], (db) =>
    listOfSession(db, sessionId, () => listProposals(db, filter, query)),
  );
});

@Operation({
  summary: "The arbiter's verdict on the current round; nothing is written",
  http: 'GET /v1/sessions/:sessionId/consensus',
  cli: 'consensus <sessionId>',
  access: 'viewer',
  answers: { 200: Consensus },
  problems: [422],
})
export class EvaluateConsensus extends input(Query<Consensus>, {
  sessionId: is.idOf(unknownSession),
  ...pastMembers,
}) {}

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
export class ListSessionEvents extends input(Query<Page<Summarized<SessionLogEvent>>>, {
  sessionId: is.idOf(unknownSession),
  ...eventsMembers,
}) {}

export const ListSessionEventsHandler = answeredBy(
  ListSessionEvents,
  [SessionEvents, Moments],
  async (query, events, moments) =>
    events.page(query.sessionId, query, await moments.of(sessionSeen(query.sessionId), query.at)),
);

@Operation({
  summary: 'Derive every derived event of a session again from its log, and compare; no event is written',
  http: 'POST /v1/sessions/:sessionId/replay',
  access: 'viewer',
  answers: { 200: ReplayReport },
})
export class ReplaySession extends input(Query<ReplayReport>, { sessionId: is.idOf(unknownSession) }) {}

export const ReplaySessionHandler = answeredBy(
  ReplaySession,
  [EventLog, WorkflowRegistry],
  async ({ sessionId }, log, workflows) =>
    (await verifySession(log, sessionId, workflows)) ?? unknownSession(sessionId),
);
