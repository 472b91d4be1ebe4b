// The names of these events and of their members are the storage format: logs of every release hold them.
// Add members as optional ones; to rename or to change a meaning, raise the version and write an upcaster.
import type { DeclaredEvents } from '#lib/event-store';
import type { Event } from '#lib/kernel';
import { executionMembers, type TrustPolicy, trustMembers } from '#lib/decisions/machines';
import type { ArbiterMode, ProposerExecution } from './execution-mode.js';

/** The id of a specialist's stream. Names cannot hold a slash. */
export function specialistStreamId({ machineName, specialistId }: Subject): string {
  return `${specialistStreams(machineName)}${specialistId}`;
}

/** The prefix of the stream ids of a machine's specialists. */
export function specialistStreams(machineName: string): string {
  return `${machineName}/`;
}

/** The specialist of an event: ids are unique within a machine. */
interface Subject {
  readonly specialistId: string;
  readonly machineName: string;
}

interface NewVersion extends Subject {
  /** 1, 2, … without gaps. It is the current version from here on. */
  readonly version: number;
  /** Present if a machine's definition declares the specialist; absent if it was registered with an operation. */
  readonly declared?: true;
  /** The specialist is disabled with this version, until it is enabled. */
  readonly disabled?: true;
  /** The version whose comparisons with people this one inherits; absent: none. */
  readonly alignmentOf?: number;
}

export type ProposerRegistered = Event<
  'ProposerRegistered',
  NewVersion & {
    readonly isHuman: boolean;
    /** Absent for a human who answers in the inbox only. */
    readonly execution?: ProposerExecution;
    /** The person who acts as this human. Absent: the person with the specialist's id. */
    readonly personId?: string;
  }
>;

export type ArbiterRegistered = Event<
  'ArbiterRegistered',
  NewVersion & {
    readonly execution: ArbiterMode;
    readonly threshold?: number;
    readonly trust?: TrustPolicy;
  }
>;

/** The body of an existing version was registered again: that version is current from here on. */
export type SpecialistRegisteredAgain = Event<
  'SpecialistRegisteredAgain',
  Subject & { readonly version: number; readonly declared?: true }
>;

export type SpecialistEnabled = Event<'SpecialistEnabled', Subject>;
export type SpecialistDisabled = Event<'SpecialistDisabled', Subject>;

export type SpecialistEvent =
  | ProposerRegistered
  | ArbiterRegistered
  | SpecialistRegisteredAgain
  | SpecialistEnabled
  | SpecialistDisabled;

const subject = { specialistId: 'structure', machineName: 'structure' } as const;

const newVersion = {
  ...subject,
  version: 'structure',
  declared: 'structure',
  disabled: 'structure',
  alignmentOf: 'structure',
} as const;

/** The event catalogue's entries: the current schema version of each type, and the kinds of its members. */
export const specialistEventDefinitions: DeclaredEvents<SpecialistEvent> = {
  ProposerRegistered: {
    version: 1,
    members: { ...newVersion, isHuman: 'structure', execution: executionMembers, personId: 'structure' },
  },
  ArbiterRegistered: {
    version: 1,
    members: {
      ...newVersion,
      execution: {
        strategyFnName: 'structure',
        strategyWebhookUrl: 'structure',
        webhookTokenName: 'structure',
      },
      threshold: 'structure',
      trust: trustMembers,
    },
  },
  SpecialistRegisteredAgain: {
    version: 1,
    members: { ...subject, version: 'structure', declared: 'structure' },
  },
  SpecialistEnabled: { version: 1, members: subject },
  SpecialistDisabled: { version: 1, members: subject },
};

/** Whether an event makes a new version. */
export function isNewVersion({ type }: SpecialistEvent): boolean {
  return type === 'ProposerRegistered' || type === 'ArbiterRegistered';
}
