import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { EventLog } from '#lib/event-store';
import {
  type ConversationEvent,
  ConversationEvents,
  Conversations,
  MessageDeltas,
  turnViews,
  unknownConversation,
} from '#lib/flows/core';
import type { RecordedEvent, Rejection } from '#lib/kernel';
import { refuse } from '#lib/operations';
import { RunDeltas, Runs } from '#lib/runs/runs/core';
import { sessionRejections } from '#lib/decisions/session';
import { SessionEvents } from '#lib/decisions/driving';
import { runRejections } from '#lib/workflow';
import { followConversation, followSession, followStream } from './follow.js';
import { OpenStreams } from './open-streams.js';
import type { Sent } from './send-events.js';

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/;

/** Server-sent events: the recorded ones, then live ones, with the deltas of open calls between them. */
@Controller('v1')
export class EventStreamsController {
  constructor(
    private readonly log: EventLog,
    private readonly sessionEvents: SessionEvents,
    private readonly runs: Runs,
    private readonly conversations: Conversations,
    private readonly conversationEvents: ConversationEvents,
    private readonly deltas: RunDeltas,
    private readonly streams: OpenStreams,
  ) {}

  @Get('sessions/:sessionId/events/stream')
  session(@Param('sessionId') sessionId: string, @Req() request: Request, @Res() response: Response) {
    this.#checkId(sessionId, sessionRejections.unknownSession);
    return this.streams.serve({ owner: `session ${sessionId}` }, request, response, async (start) => ({
      events: await followSession(this.log, this.sessionEvents, sessionId, start),
      listen: (listener) => this.deltas.listen(sessionId, listener),
    }));
  }

  @Get('runs/:runId/events/stream')
  run(@Param('runId') runId: string, @Req() request: Request, @Res() response: Response) {
    this.#checkId(runId, runRejections.unknownRun);
    return this.streams.serve({ owner: `run ${runId}` }, request, response, async ({ after, signal }) => {
      const stream = await this.runs.streamOf(runId);
      return {
        events: followStream(this.log, stream, after, signal),
        listen: (listener) => this.deltas.listen(stream, listener),
      };
    });
  }

  @Get('conversations/:conversationId/events/stream')
  conversation(@Param('conversationId') id: string, @Req() request: Request, @Res() response: Response) {
    this.#checkId(id, unknownConversation);
    return this.streams.serve({ owner: `conversation ${id}` }, request, response, async (start) => {
      const events = await followConversation(this.log, this.conversationEvents, id, start);
      return {
        events: this.#withTurns(id, events),
        listen: (listener) => {
          const messages = new MessageDeltas((one) => this.log.streams.parse(one)?.id ?? '', listener);
          return this.deltas.listen(id, (delta, stepId) => messages.add(delta, stepId));
        },
      };
    });
  }

  /** A text that cannot be an id is answered with 404 without a read of the log. */
  #checkId(id: string, unknown: (id: string) => Rejection): void {
    if (!UUID.test(id)) refuse(unknown(id.slice(0, 128)));
  }

  /** Each event of a conversation and of its turns, and the turn after its end. */
  async *#withTurns(conversationId: string, events: AsyncIterable<RecordedEvent>): AsyncGenerator<Sent> {
    for await (const event of events) {
      yield event;
      const { type } = event as { readonly type: ConversationEvent['type'] };
      if (type !== 'TurnTaken' && type !== 'TurnFailed') continue;
      const known = await this.conversations.events(conversationId);
      const turn = turnViews(known.slice(0, event.revision + 1)).at(-1);
      if (turn) yield { event: 'done', data: turn };
    }
  }
}
