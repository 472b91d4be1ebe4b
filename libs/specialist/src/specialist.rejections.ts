import { reject, type Rejection } from '#lib/kernel';

export const unknownSpecialist = (specialistId: string): Rejection =>
  reject('unknown', 'unknown-specialist', {
    errorClass: 'UnknownSpecialist',
    what: `specialist ${specialistId}`,
    why: 'nobody is registered under this id',
    fix: 'Check the id, or register the specialist first',
  });

export const specialistExists = (specialistId: string): Rejection =>
  reject('conflict', 'specialist-exists', {
    errorClass: 'SpecialistExists',
    what: `specialist ${specialistId}`,
    why: 'the id is taken, and a registration is never replaced',
    fix: 'Use the one that is there, or choose another id',
  });
