import { type Decider, RedialError, type Command } from '#lib/kernel';
import type { MachineDefined, MachineEvent } from './machine.events.js';
import { machineHash } from '../machine-hash.js';
import type { SpecialistVersions } from '../declared-specialists.js';
import type { MachineDefinition } from '../machine-definition.js';

/** One version of a machine. */
export type MachineVersion = Omit<MachineDefined['data'], 'machineName'>;

/** Every version of a machine, oldest first: sessions may start from any of them. */
export interface MachineState {
  readonly versions: readonly MachineVersion[];
  /** The current version; 0 before the first. */
  readonly current: number;
}

const noMachine: MachineState = { versions: [], current: 0 };

/** A version by its number, or the current one; `undefined` if there is none. */
export function machineVersion(state: MachineState, version = state.current): MachineVersion | undefined {
  return state.versions.find((candidate) => candidate.version === version);
}

/** Total: an unknown event leaves the state unchanged. */
function evolve(state: MachineState, event: MachineEvent): MachineState {
  switch (event.type) {
    case 'MachineDefined': {
      const { machineName: _name, ...version } = event.data;
      return { versions: [...state.versions, version], current: version.version };
    }
    case 'MachineDefinedAgain':
      return { ...state, current: event.data.version };
    default: {
      event satisfies never;
      return state;
    }
  }
}

/**
 * Defines a machine, or its next version. The definition has passed `validateMachine` and `normalizeMachine`, and its specialists
 * are registered in these versions.
 */
export type DefineMachine = Command<
  'DefineMachine',
  { readonly definition: MachineDefinition; readonly specialistVersions: SpecialistVersions }
>;

/** The commands of a machine's stream. */
export type MachineCommand = DefineMachine;

/** The definition of an existing version makes that version current; any other definition is the next version. */
function decide(command: MachineCommand, state: MachineState): readonly MachineEvent[] {
  const { definition, specialistVersions } = command.data;
  const { machineName } = definition;
  const hash = machineHash(definition);
  const known = state.versions.find((one) => one.hash === hash);
  if (!known) {
    const version = state.versions.length + 1;
    return [{ type: 'MachineDefined', data: { machineName, version, hash, definition, specialistVersions } }];
  }
  const { version } = known;
  return version === state.current ? [] : [{ type: 'MachineDefinedAgain', data: { machineName, version } }];
}

/** The rules of a machine's versions. They reject no command: the handler sends only valid machines. */
export const machineDecider: Decider<MachineState, MachineCommand, MachineEvent> = {
  initialState: noMachine,
  decide,
  evolve,
  record: () => ({}),
  rebuild: (_recorded, [defined]) => {
    if (defined?.type !== 'MachineDefined') {
      throw new RedialError(
        'the command DefineMachine cannot be rebuilt',
        'no MachineDefined event was given',
        'Rebuild commands from the events they led to',
      );
    }
    const { definition, specialistVersions } = defined.data;
    return { type: 'DefineMachine', data: { definition, specialistVersions } };
  },
};
