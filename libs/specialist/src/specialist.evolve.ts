import type { SpecialistEvent } from './specialist.events.js';
import type { SpecialistState } from './specialist.state.js';

/** Total: what cannot be (enabling what is not registered) changes nothing. */
export function evolveSpecialist(state: SpecialistState, event: SpecialistEvent): SpecialistState {
  switch (event.type) {
    case 'ProposerRegistered':
      return state ?? { role: 'proposer', enabled: true, ...event.data };
    case 'ArbiterRegistered':
      return state ?? { role: 'arbiter', isHuman: false, enabled: true, ...event.data };
    case 'SpecialistEnabled':
      return state && { ...state, enabled: true };
    case 'SpecialistDisabled':
      return state && { ...state, enabled: false };
    default:
      event satisfies never;
      return state;
  }
}
