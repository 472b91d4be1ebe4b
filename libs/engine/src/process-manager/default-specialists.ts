import { defaultSpecialistIds, type Session } from '#lib/session';
import { type SpecialistRegistration, specialistDecider } from '#lib/specialist';
import { specialistTarget } from '../specialists/specialist-target.js';
import { type Call, subCall } from '../write-side/call.js';
import type { CommandWriter } from '../write-side/command-writer.js';
import type { Rosters } from './rosters.js';

/** Who decides where a machine has nobody, in one session alone: so that a bare machine can be run. */
export class DefaultSpecialists {
  constructor(
    private readonly writer: CommandWriter,
    private readonly rosters: Rosters,
  ) {}

  /** Registers a proposer or an arbiter, or both, where the machine has none. */
  async register(session: Session, call: Call): Promise<void> {
    const { registered } = await this.rosters.of(session);
    const missing = defaultsOf(session).filter(({ role }) => !registered.some((one) => one.role === role));
    for (const registration of missing) await this.add(registration, call);
  }

  private async add(registration: SpecialistRegistration, call: Call): Promise<void> {
    const command = { type: 'RegisterSpecialist', data: { registration } } as const;
    const target = specialistTarget(registration);
    await this.writer.send(specialistDecider, target, command, subCall(call, registration.specialistId));
  }
}

function defaultsOf({ sessionId, machineName }: Session): readonly SpecialistRegistration[] {
  const { proposer, arbiter } = defaultSpecialistIds(sessionId);
  return [
    {
      role: 'proposer',
      specialistId: proposer,
      machineName,
      strategyFnName: 'firstAvailable',
    },
    {
      role: 'arbiter',
      specialistId: arbiter,
      machineName,
      strategyFnName: 'firstProposal',
    },
  ];
}
