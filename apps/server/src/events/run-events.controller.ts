import { Controller, Get, Headers, Param, Query, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { EventLog, type Position } from '#lib/event-store';
import type { RecordedEvent } from '#lib/kernel';
import { readFields } from '#lib/operations';
import { RunDeltas, Runs } from '#lib/runs';
import { Stopping } from '../lifecycle/stopping.js';
import { runIdPipe } from '../requests/id.pipe.js';
import { startAfter } from '../requests/position-from.js';
import { closed, sendEvents } from './send-events.js';
import { StreamLimit } from './stream-limit.js';
import { StreamParams } from './stream-params.js';

const PAGE = 20;

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
      await sendEvents(response, this.#events(stream, after, signal), signal, (listener) =>
        this.deltas.listen(stream, listener),
      );
  }

  /** Read up to the head of the log, then followed from there: nothing is lost or repeated between the two. */
  async *#events(
    stream: string,
    after: Position | undefined,
    signal: AbortSignal,
  ): AsyncGenerator<readonly RecordedEvent[]> {
    const head = await this.log.store.head();
    let from = 0;
    for (;;) {
      const page = await this.log.readStream(stream, { from, limit: PAGE });
      const old = page.filter(({ position }) => position <= (head ?? ''));
      yield old.filter(({ position }) => after === undefined || position > after);
      if (signal.aborted || old.length < PAGE) break;
      from += PAGE;
    }
    const liveAfter = after !== undefined && after > (head ?? '') ? after : head;
    for await (const batch of this.log.store.subscribe(liveAfter, signal)) {
      for (const stored of batch) if (stored.stream === stream) yield [await this.log.decode(stored)];
    }
  }
}
