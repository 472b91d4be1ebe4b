import { isRejection, type Rejection } from '#lib/kernel';
import { arbiterMode, proposerExecution } from './registration-rules.js';
import type { RegisterSpecialist, SpecialistCommand } from './specialist.commands.js';
import type { SpecialistEvent } from './specialist.events.js';
import { specialistExists, unknownSpecialist } from './specialist.rejections.js';
import type { SpecialistState } from './specialist.state.js';

type Decision = readonly SpecialistEvent[] | Rejection;

/** Enabling what is enabled, and disabling what is disabled, is nothing to do. */
export function decideSpecialist(command: SpecialistCommand, state: SpecialistState): Decision {
  if (command.type === 'RegisterSpecialist') return register(command, state);
  const { specialistId } = command.data;
  if (state === null) return unknownSpecialist(specialistId);
  const enabled = command.type === 'EnableSpecialist';
  if (state.enabled === enabled) return [];
  return [{ type: enabled ? 'SpecialistEnabled' : 'SpecialistDisabled', data: { specialistId } }];
}

function register({ data }: RegisterSpecialist, state: SpecialistState): Decision {
  const { registration, actorTokenHash } = data;
  const { specialistId, machineName, isHuman = false, threshold } = registration;
  if (registration.role === 'arbiter') {
    const execution = arbiterMode(registration);
    if (isRejection(execution)) return execution;
    if (state) return specialistExists(specialistId);
    const limit = threshold !== undefined && { threshold };
    return [{ type: 'ArbiterRegistered', data: { specialistId, machineName, execution, ...limit } }];
  }
  const execution = proposerExecution(registration);
  if (isRejection(execution)) return execution;
  if (state) return specialistExists(specialistId);
  const mode = execution !== undefined && { execution };
  const proof = isHuman && actorTokenHash !== undefined && { actorTokenHash };
  return [{ type: 'ProposerRegistered', data: { specialistId, machineName, isHuman, ...mode, ...proof } }];
}
