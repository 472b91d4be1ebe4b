import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { SpecialistRecord } from '#lib/projections';
import { specialistDecider } from '#lib/specialist';
import { specialistRecord } from '../specialists/specialist-record.js';
import { CommandGate } from '../write-side/command-gate.js';
import { CommandWriter } from '../write-side/command-writer.js';
import type { Granted } from '../write-side/granted.js';
import { SetSpecialistEnabledCommand } from './set-specialist-enabled.command.js';

@CommandHandler(SetSpecialistEnabledCommand)
export class SetSpecialistEnabledHandler implements ICommandHandler<SetSpecialistEnabledCommand> {
  constructor(
    private readonly gate: CommandGate,
    private readonly writer: CommandWriter,
  ) {}

  execute(command: SetSpecialistEnabledCommand): Promise<Granted<SpecialistRecord>> {
    return this.gate.once(command.call, () => this.set(command));
  }

  private async set({
    specialistId,
    enabled,
    call,
  }: SetSpecialistEnabledCommand): Promise<Granted<SpecialistRecord>> {
    const target = { category: 'specialist', id: specialistId } as const;
    const type = enabled ? 'EnableSpecialist' : 'DisableSpecialist';
    const answer = await this.writer.send(specialistDecider, target, { type, data: { specialistId } }, call);
    return { value: specialistRecord(answer.state), position: answer.position, created: false };
  }
}
