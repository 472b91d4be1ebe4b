import { Injectable } from '@nestjs/common';
import { childContext, type CommandContext, CommandWriter, refuse, type Written } from '#lib/operations';
import { type SessionView, sessionDecider, sessionRejections } from '#lib/decisions/session';
import { Ticker } from './drive/ticker.js';
import { SessionReader } from './session-reader.js';

const MOST_TICKS = 1_000;

/** Runs sessions step by step. */
@Injectable()
export class SessionRun {
  constructor(
    private readonly writer: CommandWriter,
    private readonly ticker: Ticker,
    private readonly sessions: SessionReader,
  ) {}

  /** Takes steps until the session is at rest or needs a person. @throws RejectionError if there is no such session */
  async steps(
    sessionId: string,
    maxTicks = MOST_TICKS,
    context: CommandContext,
  ): Promise<Written<SessionView>> {
    const session = await this.writer.state(sessionDecider, { category: 'session', id: sessionId });
    if (!session) refuse(sessionRejections.unknownSession(sessionId));
    let waits = false;
    for (let count = 0; count < maxTicks && !waits; count++) {
      const { value, position } = await this.ticker.tick(
        sessionId,
        childContext(context, `tick-${count}`),
        true,
      );
      context.written.note(position);
      if (value === null) break;
      waits = value.status === 'needs_human';
    }
    // A repeat gets the first answer, even if the session has moved since.
    const { latest: position } = context.written;
    const view = await this.sessions.now(sessionId, context.keyed ? position : undefined);
    // The session's own stream does not show that one of its runs waits for a person.
    const value: SessionView = waits && view.status === 'open' ? { ...view, status: 'needs_human' } : view;
    return { value, position, created: false, isFleeting: true };
  }
}
