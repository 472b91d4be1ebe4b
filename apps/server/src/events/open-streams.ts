import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { EventLog, type Position, streamReaders } from '#lib/event-store';
import { Access, is, readFields, RejectionError, type Role, view } from '#lib/operations';
import { Stopping } from '../lifecycle.js';
import { checkMinPosition, startAfter } from '../requests/positions.js';
import { credentialsOf } from '../security/admit-callers.js';
import { closed, sendEvents, type Sent } from './send-events.js';
import { StreamLimit } from './stream-limit.js';

export const streamMembers = {
  lastEventId: is.text.optional,
  minPosition: is.text.optional,
};

class StreamParams extends view(streamMembers) {}

/** The beginning of a stream. */
export interface Start {
  /** Only events after this position are given. */
  readonly after: Position | undefined;
  /** The stream waits until the rows have this position. */
  readonly minPosition: string | undefined;
  readonly signal: AbortSignal;
}

interface Opened {
  readonly events: AsyncIterable<Sent>;
  /** Starts the deltas; returns a function that ends them. */
  listen?(this: void, listener: (delta: object) => void): () => void;
}

interface Stream {
  /** The session, run, conversation or caller whose streams the limit counts. */
  readonly owner: string;
  /** The role that its reader needs, at the start and for each event. */
  readonly access?: Role;
  readonly params?: StreamParams;
}

/** Server-sent events, the recorded ones and then live ones, for a reader who may read each of them. */
@Injectable()
export class OpenStreams {
  constructor(
    private readonly log: EventLog,
    private readonly stopping: Stopping,
    private readonly limit: StreamLimit,
    private readonly access: Access,
  ) {}

  async serve(
    { owner, access = 'viewer', params }: Stream,
    request: Request,
    response: Response,
    open: (start: Start) => Promise<Opened>,
  ): Promise<void> {
    const { lastEventId, minPosition } = params ?? readFields(StreamParams, request.query);
    const { sessionId } = request.params;
    response.once('close', this.limit.take(owner));
    const refused = new AbortController();
    const signal = AbortSignal.any([closed(response), this.stopping.signal, refused.signal]);
    // A failed read of the store does not concern the token: the stream goes on, and the token is checked again later.
    const admit = () =>
      this.access
        .admit({ id: owner, access }, { credentials: credentialsOf(request), sessionId })
        .catch((error: unknown) => error instanceof RejectionError && refused.abort());
    const after = startAfter(request.get('last-event-id'), lastEventId, this.log);
    checkMinPosition(minPosition, this.log);
    const reading = streamReaders.open(signal);
    response.once('close', () => reading.close());
    await reading.run(async () => {
      const { events, listen } = await open({ after, minPosition, signal });
      if (request.method === 'HEAD') response.type('text/event-stream').end();
      else await sendEvents(response, events, signal, { ...(listen && { listen }), admit });
    });
  }
}
