import { machineHash } from '../machine-hash.js';
import type { MachineCommand } from './machine.commands.js';
import type { MachineEvent } from './machine.events.js';
import { type MachineState, machineVersion } from './machine.state.js';

/** The latest definition again is nothing new; any other is the next version, also one that an older version had. */
export function decide(command: MachineCommand, state: MachineState): readonly MachineEvent[] {
  const { definition } = command.data;
  const latest = machineVersion(state);
  const hash = machineHash(definition);
  if (hash === latest?.hash) return [];
  const version = (latest?.version ?? 0) + 1;
  return [
    { type: 'MachineDefined', data: { machineName: definition.machineName, version, hash, definition } },
  ];
}
