import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { derivedId } from '#lib/kernel';
import { type SessionView, sessionDecider } from '#lib/session';
import { MachineCatalog } from '../machines/machine-catalog.js';
import { SessionReader } from '../sessions/session-reader.js';
import { CommandGate } from '../write-side/command-gate.js';
import { CommandWriter } from '../write-side/command-writer.js';
import type { Granted } from '../write-side/granted.js';
import { CreateSessionCommand } from './create-session.command.js';

@CommandHandler(CreateSessionCommand)
export class CreateSessionHandler implements ICommandHandler<CreateSessionCommand> {
  constructor(
    private readonly gate: CommandGate,
    private readonly machines: MachineCatalog,
    private readonly writer: CommandWriter,
    private readonly sessions: SessionReader,
  ) {}

  execute(command: CreateSessionCommand): Promise<Granted<SessionView>> {
    return this.gate.once(command.call, () => this.create(command));
  }

  private async create({ input, call }: CreateSessionCommand): Promise<Granted<SessionView>> {
    const sessionId = derivedId(call.commandId, 'session');
    const chosen = await this.machines.choose(input, call);
    const { metaJson } = input;
    const roundId = derivedId(call.commandId, 'round');
    const data = { sessionId, roundId, ...chosen, ...(metaJson !== undefined && { metaJson }) };
    const target = { category: 'session', id: sessionId } as const;
    const answer = await this.writer.send(sessionDecider, target, { type: 'CreateSession', data }, call);
    return {
      value: await this.sessions.at(sessionId, answer.revision),
      position: answer.position,
      created: true,
    };
  }
}
