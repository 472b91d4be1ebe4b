import { reject, type Rejection } from '#lib/kernel';

export const unknownSpecialist = (specialistId: string, version?: number): Rejection =>
  reject('unknown', 'unknown-specialist', {
    what: `specialist ${specialistId}${version === undefined ? '' : ` version ${version}`}`,
    why: 'no specialist is registered under this id',
    fix: 'Check the id, or register the specialist first',
  });

/** @param machines the names of the machines that have a specialist of this id */
export const ambiguousSpecialist = (specialistId: string, machines: readonly string[]): Rejection => ({
  ...reject('conflict', 'ambiguous', {
    errorClass: 'AmbiguousSpecialist',
    what: `specialist ${specialistId}`,
    why: `several machines have one of this id: ${machines.join(', ')}`,
    fix: 'Name the machine with machineName',
  }),
  machines,
});
