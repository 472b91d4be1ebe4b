import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import {
  type Call,
  CommandGate,
  CommandWriter,
  type Granted,
  RejectionError,
  subCall,
} from '#lib/operations';
import { type SessionView, sessionDecider, sessionRejections } from '#lib/session';
import { Ticker } from '../process-manager/ticker.js';
import { SessionReader } from '../sessions/session-reader.js';
import { RunSessionCommand, type RunSessionInput } from './run-session.command.js';

const MOST_TICKS = 1_000;

@CommandHandler(RunSessionCommand)
export class RunSessionHandler implements ICommandHandler<RunSessionCommand> {
  constructor(
    private readonly gate: CommandGate,
    private readonly writer: CommandWriter,
    private readonly ticker: Ticker,
    private readonly sessions: SessionReader,
  ) {}

  execute({ input, call }: RunSessionCommand): Promise<Granted<SessionView>> {
    return this.gate.once(call, () => this.run(input, call));
  }

  private async run(
    { sessionId, maxTicks = MOST_TICKS }: RunSessionInput,
    call: Call,
  ): Promise<Granted<SessionView>> {
    const session = await this.writer.state(sessionDecider, { category: 'session', id: sessionId });
    if (!session) throw new RejectionError(sessionRejections.unknownSession(sessionId));
    for (let count = 0; count < maxTicks; count++) {
      const { value, position } = await this.ticker.tick(sessionId, subCall(call, `tick-${count}`), true);
      call.written.note(position);
      if (value === null || value.status === 'needs_human') break;
    }
    // A repeat answers as the first time, also when the session has gone on since.
    const { latest: position } = call.written;
    const value = await this.sessions.now(sessionId, call.keyed ? position : undefined);
    return { value, position, created: false, isFleeting: true };
  }
}
