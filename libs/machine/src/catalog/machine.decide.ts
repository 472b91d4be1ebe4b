import { machineHash } from '../machine-hash.js';
import type { MachineCommand } from './machine.commands.js';
import type { MachineEvent } from './machine.events.js';
import type { MachineState } from './machine.state.js';

/** The definition of an existing version makes that version the current one again; any other is the next version. */
export function decide(command: MachineCommand, state: MachineState): readonly MachineEvent[] {
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
