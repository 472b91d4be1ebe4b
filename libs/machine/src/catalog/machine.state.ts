import type { MachineDefinition } from '../machine-definition.js';

/** One version of a machine. */
export interface MachineVersion {
  readonly version: number;
  readonly hash: string;
  readonly definition: MachineDefinition;
}

/** Every version a machine ever had, oldest first: sessions may start from any of them. */
export interface MachineState {
  readonly versions: readonly MachineVersion[];
}

export const noMachine: MachineState = { versions: [] };

/** A version by its number, or the latest one; `undefined` where there is none. */
export function machineVersion(state: MachineState, version?: number): MachineVersion | undefined {
  if (version === undefined) return state.versions.at(-1);
  return state.versions.find((candidate) => candidate.version === version);
}
