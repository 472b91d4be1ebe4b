import type { SpecialistName } from '#lib/projections';

/** Which machine's specialist is meant. Needed where several machines have one of the same id. */
export interface MachineOption {
  readonly machineName?: string;
}

export function specialistName(specialistId: string, { machineName }: MachineOption): SpecialistName {
  return { specialistId, ...(machineName !== undefined && { machineName }) };
}
