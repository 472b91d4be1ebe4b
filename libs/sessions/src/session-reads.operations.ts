import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { IsIn, IsString } from 'class-validator';
import { EventLog } from '#lib/event-store';
import { Proposal } from '#lib/monitoring';
import {
  currentScope,
  Describe,
  IsId,
  IsWhole,
  Operation,
  Optional,
  page,
  PageQuery,
  readsRows,
  ReadQuery,
  ReadSide,
  RecordedEventView,
  refuse,
} from '#lib/operations';
import { getSession, listOfSession, listProposals, listSessions, type Page } from '#lib/projections';
import { verifySession } from '#lib/replay';
import { WorkflowRegistry } from '#lib/workflow';
import { evaluateConsensus, roundRoster, type SessionStatus, sessionRejections } from '#lib/session';
import { Participants } from './drive/participants.js';
import { ReplayReport } from './replay.views.js';
import { roundContext } from './round-context.js';
import { SessionEvents, type SessionLogEvent } from './session-events.js';
import { SessionReader } from './session-reader.js';
import { Consensus, Session, SessionSummary, STATUSES } from './sessions.views.js';

const { unknownSession } = sessionRejections;

@Operation({
  summary: 'The sessions, newest first, without their machines',
  http: 'GET /v1/sessions',
  cli: 'sessions --state <currentState> --limit <limit=50>',
  mcp: true,
  access: 'viewer',
  answers: { 200: page(SessionSummary) },
})
export class ListSessions extends PageQuery<Page<SessionSummary>> {
  @Describe('Of this machine alone')
  @Optional()
  @IsString()
  machineName?: string;

  @Describe('In this state alone')
  @Optional()
  @IsString()
  currentState?: string;

  @Describe('Of this status alone')
  @Optional()
  @IsIn(STATUSES)
  status?: SessionStatus;
}

export const ListSessionsHandler = readsRows(ListSessions, ['sessions'], (db, query) =>
  listSessions(db, query, query),
);

@Operation({
  summary: 'A session as it is: state, round, status, history, machine',
  http: 'GET /v1/sessions/:sessionId',
  mcp: true,
  access: 'viewer',
  answers: { 200: Session },
})
export class GetSession extends ReadQuery<Session> {
  @IsId(unknownSession)
  sessionId!: string;
}

export const GetSessionHandler = readsRows(
  GetSession,
  ['sessions'],
  async (db, { sessionId }) => (await getSession(db, sessionId)) ?? unknownSession(sessionId),
);

@Operation({
  summary: 'A session as it was after a revision of its stream',
  http: 'GET /v1/sessions/:sessionId/at/:revision',
  mcp: true,
  access: 'viewer',
  answers: { 200: Session },
})
export class GetSessionAt extends ReadQuery<Session> {
  @IsId(unknownSession)
  sessionId!: string;

  @IsWhole()
  revision!: number;
}

@QueryHandler(GetSessionAt)
export class GetSessionAtHandler implements IQueryHandler<GetSessionAt> {
  constructor(
    private readonly sessions: SessionReader,
    private readonly reads: ReadSide,
  ) {}

  async execute({ sessionId, revision }: GetSessionAt): Promise<Session> {
    await this.reads.checkPosition(currentScope().minPosition);
    return this.sessions.at(sessionId, revision);
  }
}

@Operation({
  summary: 'The proposals of a session, or of one round of it, in the order they arrived',
  http: 'GET /v1/sessions/:sessionId/proposals',
  cli: 'proposals <sessionId>',
  mcp: true,
  access: 'viewer',
  answers: { 200: page(Proposal) },
})
export class ListProposals extends PageQuery<Page<Proposal>> {
  @IsId(unknownSession)
  sessionId!: string;

  @Describe('Of this round alone')
  @Optional()
  @IsString()
  roundId?: string;
}

export const ListProposalsHandler = readsRows(ListProposals, ['session_events', 'decisions'], (db, query) =>
  listOfSession(db, query.sessionId, () => listProposals(db, query, query)),
);

@Operation({
  summary: "The arbiter's verdict on the current round as it is; nothing is written",
  http: 'GET /v1/sessions/:sessionId/consensus',
  cli: 'consensus <sessionId>',
  mcp: true,
  access: 'viewer',
  answers: { 200: Consensus },
  problems: [422],
})
export class EvaluateConsensus extends ReadQuery<Consensus> {
  @IsId(unknownSession)
  sessionId!: string;
}

@QueryHandler(EvaluateConsensus)
export class EvaluateConsensusHandler implements IQueryHandler<EvaluateConsensus> {
  constructor(
    private readonly reads: ReadSide,
    private readonly log: EventLog,
    private readonly participants: Participants,
  ) {}

  async execute({ sessionId }: EvaluateConsensus): Promise<Consensus> {
    await this.reads.waitForOwnWrites(['specialists', 'alignment'], currentScope().minPosition);
    const { session, roundBegan } = roundContext(
      await this.log.load(this.log.streams.of('session', sessionId)),
      sessionId,
    );
    const { arbiter, ...roster } = roundRoster(session, await this.participants.of(session, { roundBegan }));
    if (!arbiter) return refuse(sessionRejections.noArbiter(session.machineName, session.currentState));
    return evaluateConsensus(session, arbiter, roster);
  }
}

@Operation({
  summary: 'The events of a session, its solicitations and its arbitrations, in log order',
  http: 'GET /v1/sessions/:sessionId/events',
  cli: 'events <sessionId>',
  mcp: true,
  access: 'viewer',
  answers: { 200: page(RecordedEventView) },
})
export class ListSessionEvents extends PageQuery<Page<SessionLogEvent>> {
  @IsId(unknownSession)
  sessionId!: string;
}

@QueryHandler(ListSessionEvents)
export class ListSessionEventsHandler implements IQueryHandler<ListSessionEvents> {
  constructor(private readonly events: SessionEvents) {}

  execute(query: ListSessionEvents): Promise<Page<SessionLogEvent>> {
    return this.events.page(query.sessionId, query, currentScope().minPosition);
  }
}

@Operation({
  summary: 'Derive every derived event of a session again from its log, and compare; nothing is written',
  http: 'POST /v1/sessions/:sessionId/replay',
  mcp: true,
  access: 'viewer',
  answers: { 200: ReplayReport },
})
export class ReplaySession extends Query<ReplayReport> {
  @IsId(unknownSession)
  sessionId!: string;
}

@QueryHandler(ReplaySession)
export class ReplaySessionHandler implements IQueryHandler<ReplaySession> {
  constructor(
    private readonly log: EventLog,
    private readonly workflows: WorkflowRegistry,
  ) {}

  async execute({ sessionId }: ReplaySession): Promise<ReplayReport> {
    return (await verifySession(this.log, sessionId, this.workflows)) ?? refuse(unknownSession(sessionId));
  }
}
