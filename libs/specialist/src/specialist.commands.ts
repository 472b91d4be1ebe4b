import type { Command } from '#lib/kernel';
import type { SpecialistRegistration } from './registration.js';

export type RegisterSpecialist = Command<
  'RegisterSpecialist',
  {
    readonly registration: SpecialistRegistration;
    /** A machine's definition declares it. */
    readonly declared?: true;
  }
>;

interface Subject {
  readonly specialistId: string;
  readonly machineName: string;
}

export type EnableSpecialist = Command<'EnableSpecialist', Subject>;
export type DisableSpecialist = Command<'DisableSpecialist', Subject>;

export type SpecialistCommand = RegisterSpecialist | EnableSpecialist | DisableSpecialist;
