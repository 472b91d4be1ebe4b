import { Controller, Get, Headers, Param, Query, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { EventLog } from '#lib/event-store';
import { readFields } from '#lib/operations';
import { RunDeltas } from '#lib/runs';
import { Stopping } from '../lifecycle/stopping.js';
import { sessionIdPipe } from '../requests/id.pipe.js';
import { startAfter } from '../requests/position-from.js';
import { closed, sendEvents } from './send-events.js';
import { SessionTail } from './session-tail.js';
import { StreamLimit } from './stream-limit.js';
import { StreamParams } from './stream-params.js';

@Controller('v1/sessions/:sessionId/events')
export class SessionEventsController {
  constructor(
    private readonly log: EventLog,
    private readonly tail: SessionTail,
    private readonly deltas: RunDeltas,
    private readonly stopping: Stopping,
    private readonly limit: StreamLimit,
  ) {}

  @Get('stream')
  async stream(
    @Param('sessionId', sessionIdPipe) sessionId: string,
    @Query() query: object,
    @Headers('last-event-id') lastSeen: string | undefined,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const { lastEventId, minPosition } = readFields(StreamParams, query);
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
    else await sendEvents(response, events, signal, (listener) => this.deltas.listen(sessionId, listener));
  }
}
