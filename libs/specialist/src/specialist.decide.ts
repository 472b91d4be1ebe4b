import { isRejection, type Rejection } from '#lib/kernel';
import { specialistBody } from './registration-rules.js';
import type { RegisterSpecialist, SpecialistCommand } from './specialist.commands.js';
import type { SpecialistEvent } from './specialist.events.js';
import { unknownSpecialist } from './specialist.rejections.js';
import { type SpecialistBody, type SpecialistState, versionWith } from './specialist.state.js';

type Decision = readonly SpecialistEvent[] | Rejection;

/** Enabling what is enabled, and disabling what is disabled, is nothing to do. */
export function decideSpecialist(command: SpecialistCommand, state: SpecialistState): Decision {
  if (command.type === 'RegisterSpecialist') return register(command, state);
  const { specialistId, machineName } = command.data;
  if (state === null) return unknownSpecialist(specialistId);
  const enabled = command.type === 'EnableSpecialist';
  if (state.enabled === enabled) return [];
  return [
    { type: enabled ? 'SpecialistEnabled' : 'SpecialistDisabled', data: { specialistId, machineName } },
  ];
}

/** `disabled` and `keepAlignment` apply to the version that the command makes, and to nothing else. */
function register({ data }: RegisterSpecialist, state: SpecialistState): Decision {
  const body = specialistBody(data.registration);
  if (isRejection(body)) return body;
  const version = versionWith(state, body);
  return version === undefined ? [nextVersion(data, body, state)] : again(data, version, state);
}

function again(
  { registration, declared }: RegisterSpecialist['data'],
  version: number,
  state: SpecialistState,
): Decision {
  const isNews = version !== state?.current || (!declared && !state.standsAlone);
  if (!isNews) return [];
  const { specialistId, machineName } = registration;
  const data = { specialistId, machineName, version, ...(declared && { declared }) };
  return [{ type: 'SpecialistRegisteredAgain', data }];
}

function nextVersion(
  { registration, declared }: RegisterSpecialist['data'],
  body: SpecialistBody,
  state: SpecialistState,
): SpecialistEvent {
  const { specialistId, machineName, disabled, keepAlignment } = registration;
  const data = {
    specialistId,
    machineName,
    version: (state?.versions.length ?? 0) + 1,
    ...(declared && { declared }),
    ...(disabled && { disabled }),
    ...(keepAlignment && state && { alignmentOf: state.current }),
  };
  if (body.role === 'arbiter') {
    const { role: _role, isHuman: _isHuman, ...mode } = body;
    return { type: 'ArbiterRegistered', data: { ...data, ...mode } };
  }
  const { role: _role, ...mode } = body;
  return { type: 'ProposerRegistered', data: { ...data, ...mode } };
}
