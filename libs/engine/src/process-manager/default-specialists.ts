import { defaultSpecialistIds, type Session } from '#lib/session';
import { type SpecialistRegistration, specialistDecider } from '#lib/specialist';
import { type Call, subCall } from '../write-side/call.js';
import type { CommandWriter } from '../write-side/command-writer.js';
import { RejectionError } from '../write-side/rejection-error.js';
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
    const { specialistId } = registration;
    const target = { category: 'specialist', id: specialistId } as const;
    const command = { type: 'RegisterSpecialist', data: { registration } } as const;
    try {
      await this.writer.send(specialistDecider, target, command, subCall(call, specialistId));
    } catch (error) {
      const isThere = error instanceof RejectionError && error.rejection.code === 'specialist-exists';
      if (!isThere) throw error;
    }
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
