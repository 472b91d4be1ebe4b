// The names of these events and of their members are the storage format: logs of every release hold them.
// Add members as optional ones; to rename or to change a meaning, raise the version and write an upcaster.
import type { DeclaredEvents } from '#lib/event-store';
import type { Event } from '#lib/kernel';

/** An event of the log. Positions differ from log to log; the stream, without the prefix, and the revision stay in a copy. */
export interface Place {
  readonly stream: string;
  readonly revision: number;
}

/** One attempt. */
export interface Attempt {
  /** ISO 8601, UTC. */
  readonly at: string;
  /** The HTTP status of the answer. */
  readonly status?: number;
  /** Why it failed; absent if it succeeded. */
  readonly error?: string;
}

/** It reacts to the events after this one. */
export type ReactionStarted = Event<
  'ReactionStarted',
  {
    readonly name: string;
    /** The last event of the log at that time. Absent: the log was empty. */
    readonly after?: Place;
    /** How many of this name have begun and ended before. Absent: none. */
    readonly life?: number;
  }
>;

/** It reacts to no further event, and has no parked delivery. */
export type ReactionEnded = Event<'ReactionEnded', { readonly name: string; readonly by: string }>;

/** Every event before this one is delivered or parked. A process without rows goes on from here. */
export type ReactionAdvanced = Event<
  'ReactionAdvanced',
  Place & {
    /** This event itself is not delivered yet. Absent: it is. */
    readonly isPending?: true;
  }
>;

/** A delivery that is not tried again by itself. */
export type DeliveryParked = Event<
  'DeliveryParked',
  Place & {
    readonly deliveryId: string;
    /** Of the delivery: the type of the event, or a type of hooks. */
    readonly type: string;
    readonly attempts: readonly Attempt[];
  }
>;

/** A parked event is to be delivered again, like a new one. */
export type DeliveryRetried = Event<
  'DeliveryRetried',
  Place & { readonly deliveryId: string; readonly type: string; readonly by: string }
>;

/** A parked event is not delivered any more. */
export type DeliveryDropped = Event<
  'DeliveryDropped',
  Place & { readonly deliveryId: string; readonly type: string; readonly by: string }
>;

/** The events of a stream of the category `reaction`; its id is the name of the reaction. */
export type ReactionEvent =
  | ReactionStarted
  | ReactionEnded
  | ReactionAdvanced
  | DeliveryParked
  | DeliveryRetried
  | DeliveryDropped;

const place = { stream: 'structure', revision: 'structure' } as const;
const delivery = { ...place, deliveryId: 'structure', type: 'structure' } as const;

/** The event catalogue's entries: the current schema version of each type, and the kinds of its members. */
export const reactionEventDefinitions: DeclaredEvents<ReactionEvent> = {
  ReactionStarted: { version: 1, members: { name: 'structure', after: place, life: 'structure' } },
  ReactionEnded: { version: 1, members: { name: 'structure', by: 'structure' } },
  ReactionAdvanced: { version: 1, members: { ...place, isPending: 'structure' } },
  DeliveryParked: { version: 1, members: { ...delivery, attempts: 'content' } },
  DeliveryRetried: { version: 1, members: { ...delivery, by: 'structure' } },
  DeliveryDropped: { version: 1, members: { ...delivery, by: 'structure' } },
};
