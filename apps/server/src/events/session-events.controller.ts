import { Controller, Get, Headers, Param, Query, Req, Res } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ApiHeader, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { SessionEventsQuery } from '#lib/engine';
import { EventLog } from '#lib/event-store';
import type { RecordedEvent } from '#lib/kernel';
import type { Page } from '#lib/projections';
import { pageOf } from '../docs/answer-schema.js';
import { Answers } from '../docs/answers.decorator.js';
import { Stopping } from '../lifecycle/stopping.js';
import { sessionIdPipe } from '../requests/id.pipe.js';
import { PageParams } from '../requests/page-params.js';
import { startAfter } from '../requests/position-from.js';
import { closed, sendEvents } from './send-events.js';
import { SessionTail } from './session-tail.js';
import { StreamLimit } from './stream-limit.js';
import { StreamParams } from './stream-params.js';

@ApiTags('sessions')
@Controller('v1/sessions/:id/events')
export class SessionEventsController {
  constructor(
    private readonly log: EventLog,
    private readonly queries: QueryBus,
    private readonly tail: SessionTail,
    private readonly stopping: Stopping,
    private readonly limit: StreamLimit,
  ) {}

  @Get()
  @Answers({
    summary: 'The events of a session and of its solicitations, in log order',
    schema: pageOf('RecordedEvent'),
    problems: [404, 503],
  })
  list(
    @Param('id', sessionIdPipe) id: string,
    @Query() { minPosition, ...page }: PageParams,
  ): Promise<Page<RecordedEvent>> {
    return this.queries.execute(new SessionEventsQuery(id, page, minPosition));
  }

  @Get('stream')
  @ApiHeader({ name: 'Last-Event-ID', required: false, description: 'Resume after this position' })
  @Answers({
    summary: 'The same as server-sent events, then live',
    schema: { type: 'string', description: '`id` is the position, `event` the type, `data` a RecordedEvent' },
    type: 'text/event-stream',
    problems: [404, 429, 503],
  })
  async stream(
    @Param('id', sessionIdPipe) sessionId: string,
    @Query() { lastEventId, minPosition }: StreamParams,
    @Headers('last-event-id') lastSeen: string | undefined,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    response.once('close', this.limit.take(`session ${sessionId}`));
    const signal = AbortSignal.any([closed(response), this.stopping.signal]);
    const after = startAfter(lastSeen, lastEventId, this.log);
    const start = {
      sessionId,
      ...(after !== undefined && { after }),
      ...(minPosition !== undefined && { minPosition }),
    };
    const events = await this.tail.open(start, signal);
    if (request.method === 'HEAD') response.type('text/event-stream').end();
    else await sendEvents(response, events, signal);
  }
}
