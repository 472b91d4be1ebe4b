// The names of these events and of their members are the storage format: logs of every release hold them.
// Add members as optional ones; to rename or to change a meaning, raise the version and write an upcaster.
import type { EventDefinitions } from '#lib/event-store';
import type { Event } from '#lib/kernel';
import type { ArbiterMode, ProposerExecution } from './execution-mode.js';

export type ProposerRegistered = Event<
  'ProposerRegistered',
  {
    readonly specialistId: string;
    readonly machineName: string;
    readonly isHuman: boolean;
    /** Absent for a human who is only ever asked in person. */
    readonly execution?: ProposerExecution;
    /** SHA-256 of the token that proves who acts as this human. */
    readonly actorTokenHash?: string;
  }
>;

export type ArbiterRegistered = Event<
  'ArbiterRegistered',
  {
    readonly specialistId: string;
    readonly machineName: string;
    readonly execution: ArbiterMode;
    readonly threshold?: number;
  }
>;

export type SpecialistEnabled = Event<'SpecialistEnabled', { readonly specialistId: string }>;
export type SpecialistDisabled = Event<'SpecialistDisabled', { readonly specialistId: string }>;

export type SpecialistEvent = ProposerRegistered | ArbiterRegistered | SpecialistEnabled | SpecialistDisabled;

export const specialistEventDefinitions: EventDefinitions<SpecialistEvent> = {
  ProposerRegistered: { version: 1 },
  ArbiterRegistered: { version: 1 },
  SpecialistEnabled: { version: 1 },
  SpecialistDisabled: { version: 1 },
};
