import type { Command } from '#lib/kernel';
import type { SpecialistRegistration } from './registration.js';

export type RegisterSpecialist = Command<
  'RegisterSpecialist',
  {
    readonly registration: SpecialistRegistration;
    /** For a human: SHA-256 of the token that was given out. */
    readonly actorTokenHash?: string;
  }
>;
export type EnableSpecialist = Command<'EnableSpecialist', { readonly specialistId: string }>;
export type DisableSpecialist = Command<'DisableSpecialist', { readonly specialistId: string }>;

export type SpecialistCommand = RegisterSpecialist | EnableSpecialist | DisableSpecialist;
