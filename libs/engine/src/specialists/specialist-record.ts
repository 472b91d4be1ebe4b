import type { SpecialistRecord } from '#lib/projections';
import type { SpecialistState } from '#lib/specialist';

/** A specialist as people look at it, from its own stream. */
export function specialistRecord(state: SpecialistState): SpecialistRecord {
  if (state === null) throw new TypeError('A specialist that was never registered has no record.');
  const { role, specialistId, machineName, isHuman, execution, enabled } = state;
  const threshold = state.role === 'arbiter' &&
    state.threshold !== undefined && { threshold: state.threshold };
  return { role, specialistId, machineName, isHuman, ...execution, ...threshold, enabled };
}
