import type { MachineEvent } from './machine.events.js';
import type { MachineState } from './machine.state.js';

/** Total, and never throws: an event it does not know leaves the state as it is. */
export function evolve(state: MachineState, event: MachineEvent): MachineState {
  switch (event.type) {
    case 'MachineDefined': {
      const { version, hash, definition } = event.data;
      return { versions: [...state.versions, { version, hash, definition }] };
    }
    default: {
      event.type satisfies never;
      return state;
    }
  }
}
