import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { derivedId } from '#lib/kernel';
import { CommandGate, CommandWriter, type Granted } from '#lib/operations';
import { sessionDecider } from '#lib/session';
import { MachineCatalog } from '../machines/machine-catalog.js';
import { SessionReader } from '../sessions/session-reader.js';
import { checkGiven } from '../write-side/check-given.js';
import { type CreatedSession, CreateSessionCommand } from './create-session.command.js';

@CommandHandler(CreateSessionCommand)
export class CreateSessionHandler implements ICommandHandler<CreateSessionCommand> {
  constructor(
    private readonly gate: CommandGate,
    private readonly machines: MachineCatalog,
    private readonly writer: CommandWriter,
    private readonly sessions: SessionReader,
  ) {}

  execute(command: CreateSessionCommand): Promise<Granted<CreatedSession>> {
    return this.gate.once(command.call, () => this.create(command));
  }

  private async create({ input, call }: CreateSessionCommand): Promise<Granted<CreatedSession>> {
    const { metaJson } = input;
    checkGiven({ metaJson });
    const sessionId = derivedId(call.commandId, 'session');
    const target = { category: 'session', id: sessionId } as const;
    await this.writer.checkKey(target, call);
    const { chosen, ...tokens } = await this.machines.choose(input, call);
    const roundId = derivedId(call.commandId, 'round');
    const data = { sessionId, roundId, ...chosen, ...(metaJson !== undefined && { metaJson }) };
    const answer = await this.writer.send(sessionDecider, target, { type: 'CreateSession', data }, call);
    const session = await this.sessions.at(sessionId, answer.revision);
    return { value: { ...session, ...tokens }, position: answer.position, created: true };
  }
}
