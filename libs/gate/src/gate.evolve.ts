import type { GateEvent } from './gate.events.js';
import type { GateState } from './gate.state.js';

/** Total: an event of a type from the future changes nothing. */
export function evolveGate(state: GateState, event: GateEvent): GateState {
  switch (event.type) {
    case 'GateCreated':
      return { lastVersion: event.data.version, gate: event.data };
    case 'GateDeleted':
      return { lastVersion: state.lastVersion };
    default:
      event satisfies never;
      return state;
  }
}
