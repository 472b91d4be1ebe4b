import { type Decider, RedialError } from '#lib/kernel';
import type { MachineCommand } from './machine.commands.js';
import { decide } from './machine.decide.js';
import type { MachineEvent } from './machine.events.js';
import { evolve } from './machine.evolve.js';
import { type MachineState, noMachine } from './machine.state.js';

/** The rules of a machine's versions. It refuses nothing: what is no valid machine never becomes a command. */
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
