import { ownMember } from '#lib/kernel';
import type { MachineDefinition } from '#lib/decisions/machines';

/** The number of proposals that a decision of a round needs, and the present number. */
export interface Quorum {
  readonly needed: number;
  readonly present: number;
}

const DEFAULT_QUORUM = 2;

interface MachineAtState {
  readonly machine: MachineDefinition;
  readonly currentState: string;
}

/** The quorum in the definition: the state's, else the machine's. It binds every arbitration except a person's force. */
export function writtenQuorum({ machine, currentState }: MachineAtState): number | undefined {
  return ownMember(machine.states, currentState)?.quorum ?? machine.quorum;
}

/**
 * The quorum of a round that the engine arbitrates.
 * @param enabled the number of non-human proposers enabled at the start of the round or later, with any result
 */
export function engineQuorum(at: MachineAtState, enabled: number): number {
  return writtenQuorum(at) ?? Math.min(DEFAULT_QUORUM, enabled);
}

/** The reason why a round has too few proposals; `undefined` if it has enough. */
export function quorumShortfall({ needed, present }: Quorum): string | undefined {
  if (present >= needed) return undefined;
  return `the round has ${present} of the ${needed} proposals that a decision needs`;
}
