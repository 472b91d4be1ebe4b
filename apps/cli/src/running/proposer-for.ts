import { ownMember } from '#lib/kernel';
import type { MachineDefinition } from '#lib/machine';

/**
 * Who is asked in a state: the first declared proposer that is neither disabled nor human. A state's own list stands in place
 * of the machine's.
 */
export function proposerFor(machine: MachineDefinition, stateName: string): string | undefined {
  const declared = ownMember(machine.states, stateName)?.specialists ?? machine.specialists ?? [];
  return declared.find(({ role, disabled, isHuman }) => role === 'proposer' && !disabled && !isHuman)
    ?.specialistId;
}
