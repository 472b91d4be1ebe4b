// The names of these events and of their members are the storage format: logs of every release hold them.
// Add members as optional ones; to rename or to change a meaning, raise the version and write an upcaster.
import type { DeclaredEvents, DeclaredMembers } from '#lib/event-store';
import type { Event } from '#lib/kernel';
import { collapseMembers, specialistMembers, transitionMembers, trustMembers } from '#lib/decisions/machines';
import type { GateDefinition } from './definition/gate-definition.js';

/** A gate was created, changed, or created again after its deletion. */
export type GateCreated = Event<
  'GateCreated',
  {
    readonly gateId: string;
    /** 1, 2, … without gaps, even across a deletion. */
    readonly version: number;
    /** The version of the machine `gateId` that this gate runs, even after the machine has newer versions. */
    readonly machineVersion: number;
    readonly definition: GateDefinition;
  }
>;

/** From here on the gate is neither listed nor invoked. Its versions and its invocations stay. */
export type GateDeleted = Event<'GateDeleted', { readonly gateId: string }>;

/** The events of a stream of the category `gate`; its id is the gate's. */
export type GateEvent = GateCreated | GateDeleted;

const { target: _target, needsPerson: _needsPerson, ...choiceMembers } = transitionMembers;

const definitionMembers = {
  gateId: 'structure',
  prompt: 'content',
  choices: { '*': choiceMembers },
  specialists: [specialistMembers],
  consensusThreshold: 'structure',
  quorum: 'structure',
  trust: trustMembers,
  collapse: collapseMembers,
} as const satisfies DeclaredMembers<GateDefinition>;

/** The event catalogue's entries: the current schema version of each type, and the kinds of its members. */
export const gateEventDefinitions: DeclaredEvents<GateEvent> = {
  GateCreated: {
    version: 1,
    members: {
      gateId: 'structure',
      version: 'structure',
      machineVersion: 'structure',
      definition: definitionMembers,
    },
  },
  GateDeleted: { version: 1, members: { gateId: 'structure' } },
};
