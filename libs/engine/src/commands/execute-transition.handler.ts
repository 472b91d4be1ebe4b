import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { derivedId } from '#lib/kernel';
import { CommandGate, CommandWriter, type Granted } from '#lib/operations';
import { type SessionView, sessionDecider } from '#lib/session';
import { SessionReader } from '../sessions/session-reader.js';
import { checkGiven } from '../write-side/check-given.js';
import { ExecuteTransitionCommand } from './execute-transition.command.js';

@CommandHandler(ExecuteTransitionCommand)
export class ExecuteTransitionHandler implements ICommandHandler<ExecuteTransitionCommand> {
  constructor(
    private readonly gate: CommandGate,
    private readonly writer: CommandWriter,
    private readonly sessions: SessionReader,
  ) {}

  execute(command: ExecuteTransitionCommand): Promise<Granted<SessionView>> {
    return this.gate.once(command.call, () => this.decide(command));
  }

  private async decide({ input, call }: ExecuteTransitionCommand): Promise<Granted<SessionView>> {
    checkGiven(input);
    const data = { ...input, nextRoundId: derivedId(call.commandId, 'round') };
    const target = { category: 'session', id: input.sessionId } as const;
    const answer = await this.writer.send(sessionDecider, target, { type: 'ExecuteTransition', data }, call);
    const value = await this.sessions.at(input.sessionId, answer.revision);
    return { value, position: answer.position, created: false };
  }
}
