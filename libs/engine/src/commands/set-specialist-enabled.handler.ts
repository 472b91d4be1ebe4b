import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { CommandGate, CommandWriter, type Granted } from '#lib/operations';
import type { SpecialistRecord } from '#lib/projections';
import { specialistDecider } from '#lib/specialist';
import { SpecialistLookup } from '../specialists/specialist-lookup.js';
import { specialistRecord } from '../specialists/specialist-record.js';
import { specialistTarget } from '../specialists/specialist-target.js';
import { SetSpecialistEnabledCommand } from './set-specialist-enabled.command.js';

@CommandHandler(SetSpecialistEnabledCommand)
export class SetSpecialistEnabledHandler implements ICommandHandler<SetSpecialistEnabledCommand> {
  constructor(
    private readonly gate: CommandGate,
    private readonly writer: CommandWriter,
    private readonly specialists: SpecialistLookup,
  ) {}

  execute(command: SetSpecialistEnabledCommand): Promise<Granted<SpecialistRecord>> {
    return this.gate.once(command.call, () => this.set(command));
  }

  private async set(command: SetSpecialistEnabledCommand): Promise<Granted<SpecialistRecord>> {
    const { name, enabled, call } = command;
    const data = { specialistId: name.specialistId, machineName: await this.specialists.machineOf(name) };
    const type = enabled ? 'EnableSpecialist' : 'DisableSpecialist';
    const target = specialistTarget(data);
    const answer = await this.writer.send(specialistDecider, target, { type, data }, call);
    return { value: specialistRecord(answer.state), position: answer.position, created: false };
  }
}
