// The names of these events and of their members are the storage format: logs of every release hold them.
// Add members as optional ones; to rename or to change a meaning, raise the version and write an upcaster.
import type { EventDefinitions } from '#lib/event-store';
import type { Event } from '#lib/kernel';
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

/** From here on it is neither listed nor invoked. Its versions and its invocations stay. */
export type GateDeleted = Event<'GateDeleted', { readonly gateId: string }>;

/** The events of a stream of the category `gate`; its id is the gate's. */
export type GateEvent = GateCreated | GateDeleted;

/** The event catalogue's entries: the current schema version of each type. */
export const gateEventDefinitions: EventDefinitions<GateEvent> = {
  GateCreated: { version: 1 },
  GateDeleted: { version: 1 },
};
