import { Controller, Get, Headers, Param, Query, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { EventLog } from '#lib/event-store';
import { readFields } from '#lib/operations';
import { RunDeltas, Runs } from '#lib/runs';
import { Stopping } from '../lifecycle/stopping.js';
import { runIdPipe } from '../requests/id.pipe.js';
import { startAfter } from '../requests/position-from.js';
import { followStream } from './follow-stream.js';
import { closed, sendEvents } from './send-events.js';
import { StreamLimit } from './stream-limit.js';
import { StreamParams } from './stream-params.js';

@Controller('v1/runs/:runId/events')
export class RunEventsController {
  constructor(
    private readonly log: EventLog,
    private readonly runs: Runs,
    private readonly deltas: RunDeltas,
    private readonly stopping: Stopping,
    private readonly limit: StreamLimit,
  ) {}

  @Get('stream')
  async stream(
    @Param('runId', runIdPipe) runId: string,
    @Query() query: object,
    @Headers('last-event-id') lastSeen: string | undefined,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const { lastEventId } = readFields(StreamParams, query);
    response.once('close', this.limit.take(`run ${runId}`));
    const signal = AbortSignal.any([closed(response), this.stopping.signal]);
    const after = startAfter(lastSeen, lastEventId, this.log);
    const stream = await this.runs.streamOf(runId);
    if (request.method === 'HEAD') response.type('text/event-stream').end();
    else
      await sendEvents(response, followStream(this.log, stream, after, signal), signal, (listener) =>
        this.deltas.listen(stream, listener),
      );
  }
}
