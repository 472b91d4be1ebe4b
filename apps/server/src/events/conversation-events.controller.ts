import { Controller, Get, Headers, Param, Query, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { EventLog, type Position } from '#lib/event-store';
import { Conversations, MessageDeltas, turnOf, turnRequests } from '#lib/flows';
import { readFields } from '#lib/operations';
import { RunDeltas } from '#lib/runs';
import { Stopping } from '../lifecycle/stopping.js';
import { conversationIdPipe } from '../requests/id.pipe.js';
import { startAfter } from '../requests/position-from.js';
import { followStream } from './follow-stream.js';
import { closed, sendEvents, type Sent } from './send-events.js';
import { StreamLimit } from './stream-limit.js';
import { StreamParams } from './stream-params.js';

@Controller('v1/conversations/:conversationId/events')
export class ConversationEventsController {
  constructor(
    private readonly log: EventLog,
    private readonly conversations: Conversations,
    private readonly deltas: RunDeltas,
    private readonly stopping: Stopping,
    private readonly limit: StreamLimit,
  ) {}

  @Get('stream')
  async stream(
    @Param('conversationId', conversationIdPipe) conversationId: string,
    @Query() query: object,
    @Headers('last-event-id') lastSeen: string | undefined,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const { lastEventId } = readFields(StreamParams, query);
    response.once('close', this.limit.take(`conversation ${conversationId}`));
    const signal = AbortSignal.any([closed(response), this.stopping.signal]);
    const after = startAfter(lastSeen, lastEventId, this.log);
    await this.conversations.events(conversationId);
    if (request.method === 'HEAD') response.type('text/event-stream').end();
    else
      await sendEvents(response, this.#sent(conversationId, after, signal), signal, (listener) => {
        const messages = new MessageDeltas((one) => this.log.streams.parse(one)?.id ?? '', listener);
        return this.deltas.listen(conversationId, (delta) => messages.add(delta));
      });
  }

  /** Each event, and after the end of a turn the turn. */
  async *#sent(
    conversationId: string,
    after: Position | undefined,
    signal: AbortSignal,
  ): AsyncGenerator<readonly Sent[]> {
    const stream = this.log.streams.of('conversation', conversationId);
    for await (const events of followStream(this.log, stream, after, signal))
      for (const event of events) {
        yield [event];
        const turnId = turnRequests.takenBy(event);
        if (turnId === undefined) continue;
        const known = await this.conversations.events(conversationId);
        yield [{ event: 'done', data: turnOf(known, turnId) }];
      }
  }
}
