import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { sha256 } from '#lib/kernel';
import { specialistDecider, type SpecialistState } from '#lib/specialist';
import { ActorTokens } from '../specialists/actor-tokens.js';
import { RegistrationChecks } from '../specialists/registration-checks.js';
import { specialistRecord } from '../specialists/specialist-record.js';
import { CommandGate } from '../write-side/command-gate.js';
import { CommandWriter } from '../write-side/command-writer.js';
import type { Granted } from '../write-side/granted.js';
import { KeyRegister } from '../write-side/key-register.js';
import { RejectionError } from '../write-side/rejection-error.js';
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
    const target = { category: 'specialist', id: registration.specialistId } as const;
    await this.keys.check(call, target);
    const token = registration.isHuman ? this.tokens.tokenFor(call.commandId) : undefined;
    const data = { registration, ...(token !== undefined && { actorTokenHash: sha256(token) }) };
    const answer = await this.writer.send(
      specialistDecider,
      target,
      { type: 'RegisterSpecialist', data },
      call,
    );
    return { value: registered(answer.state, token), position: answer.position, created: true };
  }
}

/** The token is told only where it is the one whose hash was stored: after a restart a repeat may not know it any more. */
function registered(state: SpecialistState, token: string | undefined): RegisteredSpecialist {
  const record = specialistRecord(state);
  const told = token !== undefined && state?.role === 'proposer' && state.actorTokenHash === sha256(token);
  return told ? { ...record, actorToken: token } : record;
}
