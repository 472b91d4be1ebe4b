import { Body, Controller, Get, HttpCode, Param, Post, Query, Req } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import type { Request } from 'express';
import {
  CreateSessionCommand,
  ExecuteTransitionCommand,
  type Granted,
  SessionAtQuery,
  VerifySessionQuery,
} from '#lib/engine';
import { getSession, listSessions, type Page, type SessionSummary } from '#lib/projections';
import type { ReplayReport } from '#lib/replay';
import { sessionRejections, type SessionView } from '#lib/session';
import { Reads } from '../answers/reads.js';
import { one, pageOf } from '../docs/answer-schema.js';
import { Answers } from '../docs/answers.decorator.js';
import { Changes } from '../docs/changes.decorator.js';
import { Calls } from '../requests/calls.js';
import { EmptyBody } from '../requests/empty-body.js';
import { sessionIdPipe } from '../requests/id.pipe.js';
import { ReadParams } from '../requests/read-params.js';
import { RevisionPipe } from '../requests/revision.pipe.js';
import { CreateSessionDto } from './create-session.dto.js';
import { ExecuteTransitionDto } from './execute-transition.dto.js';
import { SessionListParams } from './session-list-params.js';

@ApiTags('sessions')
@Controller('v1/sessions')
export class SessionsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly reads: Reads,
    private readonly calls: Calls,
  ) {}

  @Post()
  @Changes({
    summary: 'Start a session of a defined machine, or of one that comes along',
    answer: 'Session',
    statuses: [201],
    problems: [404, 409],
  })
  create(@Body() body: CreateSessionDto, @Req() request: Request): Promise<Granted<SessionView>> {
    return this.commands.execute(new CreateSessionCommand(body, this.calls.of(request, body)));
  }

  @Get()
  @Answers({
    summary: 'Sessions without their machines, newest first',
    schema: pageOf('SessionSummary'),
    problems: [503],
  })
  list(@Query() params: SessionListParams): Promise<Page<SessionSummary>> {
    return this.reads.ask(['sessions'], (db) => listSessions(db, params, params), params);
  }

  @Get(':id')
  @Answers({ summary: 'A session', schema: one('Session'), problems: [404, 503] })
  get(@Param('id', sessionIdPipe) id: string, @Query() params: ReadParams): Promise<SessionView> {
    return this.reads.ask(
      ['sessions'],
      async (db) => (await getSession(db, id)) ?? sessionRejections.unknownSession(id),
      params,
    );
  }

  @Get(':id/at/:revision')
  @Answers({
    summary: 'A session as it was after a revision of its stream',
    schema: one('Session'),
    problems: [404, 503],
  })
  at(
    @Param('id', sessionIdPipe) id: string,
    @Param('revision', new RevisionPipe()) revision: number,
    @Query() { minPosition }: ReadParams,
  ): Promise<SessionView> {
    return this.queries.execute(new SessionAtQuery(id, revision, minPosition));
  }

  @Post(':id/transitions')
  @Changes({
    summary: "Execute a transition: an operator's call",
    answer: 'Session',
    statuses: [200],
    problems: [404, 409],
  })
  execute(
    @Param('id', sessionIdPipe) sessionId: string,
    @Body() body: ExecuteTransitionDto,
    @Req() request: Request,
  ): Promise<Granted<SessionView>> {
    const call = this.calls.of(request, body);
    return this.commands.execute(new ExecuteTransitionCommand(Object.assign({ sessionId }, body), call));
  }

  @Post(':id/replay')
  @HttpCode(200)
  @Answers({
    summary: 'Derive every derived event of a session again, and compare; nothing is written',
    schema: one('ReplayReport'),
    problems: [404],
  })
  replay(@Param('id', sessionIdPipe) id: string, @Body() _body: EmptyBody): Promise<ReplayReport> {
    return this.queries.execute(new VerifySessionQuery(id));
  }
}
