import type { MachineEvent } from './machine.events.js';
import type { MachineState } from './machine.state.js';

/** Total, and never throws: an event it does not know leaves the state as it is. */
export function evolve(state: MachineState, event: MachineEvent): MachineState {
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
