import type { SpecialistVersions } from '../declared-specialists.js';
import type { MachineDefinition } from '../machine-definition.js';

/** One version of a machine. */
export interface MachineVersion {
  readonly version: number;
  readonly hash: string;
  readonly definition: MachineDefinition;
  readonly specialistVersions: SpecialistVersions;
}

/** Every version a machine ever had, oldest first: sessions may start from any of them. */
export interface MachineState {
  readonly versions: readonly MachineVersion[];
  /** The version that was defined last; 0 before there is one. */
  readonly current: number;
}

export const noMachine: MachineState = { versions: [], current: 0 };

/** A version by its number, or the current one; `undefined` where there is none. */
export function machineVersion(state: MachineState, version = state.current): MachineVersion | undefined {
  return state.versions.find((candidate) => candidate.version === version);
}
