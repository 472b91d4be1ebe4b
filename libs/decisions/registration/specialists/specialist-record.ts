import { present } from '#lib/kernel';
import type { SpecialistRecord } from '#lib/read-models';
import {
  type Arbiter,
  type Proposer,
  type SpecialistState,
  specialistVersion,
} from '#lib/decisions/specialists';

/** The current version of a specialist, for readers, from its own stream. */
export function specialistRecord(state: SpecialistState): SpecialistRecord {
  const specialist = specialistVersion(state);
  if (!specialist) throw new TypeError('A specialist that was never registered has no record.');
  return versionRecord(specialist);
}

/** A version of a specialist, for readers: with the execution mode in the members of the registration. */
export function versionRecord(specialist: Proposer | Arbiter): SpecialistRecord {
  const { role, specialistId, machineName, version, isHuman, execution, enabled } = specialist;
  const { threshold, trust } = specialist.role === 'arbiter' ? specialist : {};
  const { personId } = specialist.role === 'proposer' ? specialist : {};
  return {
    role,
    specialistId,
    machineName,
    version,
    isHuman,
    ...(personId !== undefined && { personId }),
    ...execution,
    ...present({ threshold, trust }),
    enabled,
  };
}
