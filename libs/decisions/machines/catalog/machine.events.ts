import type { DeclaredEvents } from '#lib/event-store';
import { type Event, isJsonObject, type JsonObject, ownMember } from '#lib/kernel';
import type { SpecialistVersions } from '../declared-specialists.js';
import type { MachineDefinition } from '../machine-definition.js';
import { machineMembers } from '../machine-members.js';

// STORAGE FORMAT. Logs hold the names and members below. Never rename or remove one; a change of meaning is a new schema version
// with an upcaster in `machineEventDefinitions`.

/** A machine was defined for the first time (version 1), or changed. */
export type MachineDefined = Event<
  'MachineDefined',
  {
    readonly machineName: string;
    /** 1, 2, … without gaps. */
    readonly version: number;
    /** `machineHash(definition)`. */
    readonly hash: string;
    /** Normalized. */
    readonly definition: MachineDefinition;
    /** The versions of the specialists that the machine declares. */
    readonly specialistVersions: SpecialistVersions;
  }
>;

/** The definition of an existing version was given again: that version is current from here on. */
export type MachineDefinedAgain = Event<
  'MachineDefinedAgain',
  { readonly machineName: string; readonly version: number }
>;

/** The events of a stream of the category `machine`; its id is the machine's name. */
export type MachineEvent = MachineDefined | MachineDefinedAgain;

const definedMembers = {
  machineName: 'structure',
  version: 'structure',
  hash: 'derived',
  definition: machineMembers,
  specialistVersions: 'structure',
} as const;

/** The catalogue's entries: the current schema version of each type, and the kinds of its members. */
export const machineEventDefinitions: DeclaredEvents<MachineEvent> = {
  MachineDefined: {
    version: 2,
    members: definedMembers,
    earlier: { 1: definedMembers },
    upcasters: { 1: (data) => data },
    versionOf: ({ definition }) => versionWithMachine(definition),
  },
  MachineDefinedAgain: { version: 1, members: { machineName: 'structure', version: 'structure' } },
};

/**
 * Members of a machine, a state and a transition since 0.3 that restrict who executes a transition. An event with a machine that
 * has none of them is of version 1.
 */
export const RESTRICTING_MEMBERS = {
  machine: ['people'],
  state: ['people', 'after'],
  transition: ['needsPerson'],
} as const;

/** The schema version of an event with this machine: 0.2 would read version 1 and decide without people. */
export function versionWithMachine(machine: unknown): 1 | 2 {
  const states = membersOf(machine, 'states');
  const transitions = states.flatMap((state) => membersOf(state, 'transitions'));
  const isRestricted =
    hasAny([machine], RESTRICTING_MEMBERS.machine) ||
    hasAny(states, RESTRICTING_MEMBERS.state) ||
    hasAny(transitions, RESTRICTING_MEMBERS.transition);
  return isRestricted ? 2 : 1;
}

function membersOf(value: unknown, name: string): readonly unknown[] {
  const members: unknown = isJsonObject(value) ? ownMember(value, name) : undefined;
  return isJsonObject(members) ? Object.values(members) : [];
}

function hasAny(values: readonly unknown[], members: readonly string[]): boolean {
  return values.some((value) => isJsonObject(value) && members.some((name) => has(value, name)));
}

function has(value: JsonObject, name: string): boolean {
  return ownMember(value, name) !== undefined;
}
