import type { ArbiterRegistered, ProposerRegistered, SpecialistEvent } from './specialist.events.js';
import type { RegisteredSpecialist, SpecialistBody, SpecialistState } from './specialist.state.js';

/** Total: an event that cannot be (enabling an id that is not registered) changes nothing. */
export function evolveSpecialist(state: SpecialistState, event: SpecialistEvent): SpecialistState {
  switch (event.type) {
    case 'ProposerRegistered':
    case 'ArbiterRegistered':
      return withVersion(state, event);
    case 'SpecialistRegisteredAgain':
      return state && { ...state, current: event.data.version, ...alone(state, event.data.declared) };
    case 'SpecialistEnabled':
      return state && { ...state, enabled: true };
    case 'SpecialistDisabled':
      return state && { ...state, enabled: false };
    default:
      event satisfies never;
      return state;
  }
}

function withVersion(
  state: SpecialistState,
  event: ProposerRegistered | ArbiterRegistered,
): RegisteredSpecialist {
  const { specialistId, machineName, version, declared, disabled } = event.data;
  return {
    specialistId,
    machineName,
    versions: [...(state?.versions ?? []), bodyOf(event)],
    current: version,
    enabled: disabled ? false : (state?.enabled ?? true),
    ...alone(state, declared),
  };
}

function bodyOf(event: ProposerRegistered | ArbiterRegistered): SpecialistBody {
  if (event.type === 'ArbiterRegistered') {
    const { execution, threshold, trust } = event.data;
    return {
      role: 'arbiter',
      isHuman: false,
      execution,
      ...(threshold !== undefined && { threshold }),
      ...(trust && { trust }),
    };
  }
  const { isHuman, personId, execution } = event.data;
  return {
    role: 'proposer',
    isHuman,
    ...(personId !== undefined && { personId }),
    ...(execution !== undefined && { execution }),
  };
}

function alone(state: SpecialistState, declared: true | undefined): { readonly standsAlone: boolean } {
  return { standsAlone: declared === undefined || (state?.standsAlone ?? false) };
}
