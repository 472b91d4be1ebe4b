import { ownMember } from '#lib/kernel';
import type { MachineDefinition } from '#lib/decisions/machines';

/** How many proposals a decision of a round needs, and how many there are. */
export interface Quorum {
  readonly needed: number;
  readonly present: number;
}

const DEFAULT_QUORUM = 2;

interface MachineAtState {
  readonly machine: MachineDefinition;
  readonly currentState: string;
}

/** The quorum that the definition states: the state's, else the machine's. It binds every arbitration but a person's force. */
export function writtenQuorum({ machine, currentState }: MachineAtState): number | undefined {
  return ownMember(machine.states, currentState)?.quorum ?? machine.quorum;
}

/**
 * The quorum of a round that the engine arbitrates by itself.
 * @param enabled how many proposers, people left out, were enabled when the round began or later, with any result of asking them
 */
export function engineQuorum(at: MachineAtState, enabled: number): number {
  return writtenQuorum(at) ?? Math.min(DEFAULT_QUORUM, enabled);
}

/** Why a round is not decided by its proposals; `undefined` if there are enough. */
export function quorumShortfall({ needed, present }: Quorum): string | undefined {
  if (present >= needed) return undefined;
  return `the round has ${present} of the ${needed} proposals that a decision needs`;
}
