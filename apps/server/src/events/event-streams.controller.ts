import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import { IsString } from 'class-validator';
import type { Request, Response } from 'express';
import { EventLog, type Position, streamReaders } from '#lib/event-store';
import {
  type ConversationEvent,
  ConversationEvents,
  Conversations,
  MessageDeltas,
  turnViews,
  unknownConversation,
} from '#lib/flows/core';
import type { RecordedEvent, Rejection } from '#lib/kernel';
import { Access, Optional, readFields, refuse, RejectionError } from '#lib/operations';
import { RunDeltas, Runs } from '#lib/runs/runs/core';
import { sessionRejections } from '#lib/decisions/session';
import { SessionEvents } from '#lib/decisions/driving';
import { runRejections } from '#lib/workflow';
import { Stopping } from '../lifecycle.js';
import { checkMinPosition, startAfter } from '../requests/positions.js';
import { credentialsOf } from '../security/admit-callers.js';
import { followConversation, followSession, followStream } from './follow.js';
import { closed, sendEvents, type Sent } from './send-events.js';
import { StreamLimit } from './stream-limit.js';

class StreamParams {
  @Optional() @IsString() lastEventId?: string;
  @Optional() @IsString() minPosition?: string;
}

/** The beginning of a stream. */
interface Start {
  /** Give only events after this position. */
  readonly after: Position | undefined;
  /** Wait until the rows have reached this position. */
  readonly minPosition: string | undefined;
  readonly signal: AbortSignal;
}

interface Opened {
  readonly events: AsyncIterable<Sent>;
  /** Begins to give deltas; returns what ends that. */
  listen(this: void, listener: (delta: object) => void): () => void;
}

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/;

/** Server-sent events: those that are there, then live ones, and the deltas of open calls between them. */
@Controller('v1')
export class EventStreamsController {
  constructor(
    private readonly log: EventLog,
    private readonly sessionEvents: SessionEvents,
    private readonly runs: Runs,
    private readonly conversations: Conversations,
    private readonly conversationEvents: ConversationEvents,
    private readonly deltas: RunDeltas,
    private readonly stopping: Stopping,
    private readonly limit: StreamLimit,
    private readonly access: Access,
  ) {}

  @Get('sessions/:sessionId/events/stream')
  session(@Param('sessionId') sessionId: string, @Req() request: Request, @Res() response: Response) {
    this.#checkId(sessionId, sessionRejections.unknownSession);
    return this.#serve(`session ${sessionId}`, request, response, async (start) => ({
      events: await followSession(this.log, this.sessionEvents, sessionId, start),
      listen: (listener) => this.deltas.listen(sessionId, listener),
    }));
  }

  @Get('runs/:runId/events/stream')
  run(@Param('runId') runId: string, @Req() request: Request, @Res() response: Response) {
    this.#checkId(runId, runRejections.unknownRun);
    return this.#serve(`run ${runId}`, request, response, async ({ after, signal }) => {
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
    return this.#serve(`conversation ${id}`, request, response, async (start) => {
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

  async #serve(
    owner: string,
    request: Request,
    response: Response,
    open: (start: Start) => Promise<Opened>,
  ): Promise<void> {
    const { lastEventId, minPosition } = readFields(StreamParams, request.query);
    const { sessionId } = request.params;
    response.once('close', this.limit.take(owner));
    const refused = new AbortController();
    const signal = AbortSignal.any([closed(response), this.stopping.signal, refused.signal]);
    // A store that cannot be read says nothing about the token: the stream goes on, and the token is looked up again.
    const admit = () =>
      this.access
        .admit({ id: owner, access: 'viewer' }, { credentials: credentialsOf(request), sessionId })
        .catch((error: unknown) => error instanceof RejectionError && refused.abort());
    const after = startAfter(request.get('last-event-id'), lastEventId, this.log);
    checkMinPosition(minPosition, this.log);
    const reading = streamReaders.open(signal);
    response.once('close', () => reading.close());
    await reading.run(async () => {
      const { events, listen } = await open({ after, minPosition, signal });
      if (request.method === 'HEAD') response.type('text/event-stream').end();
      else await sendEvents(response, events, signal, { listen, admit });
    });
  }

  /** Each event of a conversation and of its turns, and after the end of a turn the turn. */
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
