import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { CommandGate, CommandWriter, type Granted, KeyRegister, RejectionError } from '#lib/operations';
import { isNewVersion, specialistDecider } from '#lib/specialist';
import { ActorTokens } from '../specialists/actor-tokens.js';
import { RegistrationChecks } from '../specialists/registration-checks.js';
import { specialistRecord } from '../specialists/specialist-record.js';
import { specialistTarget } from '../specialists/specialist-target.js';
import { type RegisteredSpecialist, RegisterSpecialistCommand } from './register-specialist.command.js';

@CommandHandler(RegisterSpecialistCommand)
export class RegisterSpecialistHandler implements ICommandHandler<RegisterSpecialistCommand> {
  constructor(
    private readonly gate: CommandGate,
    private readonly keys: KeyRegister,
    private readonly writer: CommandWriter,
    private readonly checks: RegistrationChecks,
    private readonly tokens: ActorTokens,
  ) {}

  execute(command: RegisterSpecialistCommand): Promise<Granted<RegisteredSpecialist>> {
    return this.gate.once(command.call, () => this.register(command));
  }

  private async register({
    registration,
    call,
  }: RegisterSpecialistCommand): Promise<Granted<RegisteredSpecialist>> {
    const refusal = this.checks.refusal(registration);
    if (refusal) throw new RejectionError(refusal);
    const target = specialistTarget(registration);
    await this.keys.check(call, target);
    const proof = this.tokens.proofFor(call, registration.isHuman);
    const data = { registration, ...proof?.stored };
    const answer = await this.writer.send(
      specialistDecider,
      target,
      { type: 'RegisterSpecialist', data },
      call,
    );
    const record = specialistRecord(answer.state);
    const value = proof?.isOf(answer.state) ? { ...record, actorToken: proof.token } : record;
    return { value, position: answer.position, created: answer.events.some(isNewVersion) };
  }
}
