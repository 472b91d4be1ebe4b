import { derivedId, type RecordedEvent } from '#lib/kernel';
import type { LogEvent } from '#lib/read-models';
import type { Attempt, Place } from './reaction.events.js';

/** A durable subscription to events of some types. */
export interface Reaction {
  readonly name: string;
  /** Its life, from 0: a later reaction of the same name begins again. */
  readonly life: number;
  /** The address of the receiver, if there is one: for a new address, pauses that another one has asked for end. */
  readonly address?: string;
  /** Recorded types. Other events are passed over. */
  readonly types: ReadonlySet<string>;
  /** Called before each page, which may change `types`: they are read after it resolves. */
  beforePage?(page: readonly LogEvent[]): Promise<void>;
  /** Deliveries that are made at once, each of another session, run or conversation. */
  readonly slots: number;
  /** Deliveries that are kept for a list after they were made. */
  readonly kept: number;
  /** The milliseconds before the next attempt after this many failures; `undefined`: the delivery is parked. */
  pauseMs(failures: number, deliveryId: string): number | undefined;
  /** The types of the deliveries that an event asks for. Other versions of the code may give other types. */
  asks(event: RecordedEvent): readonly string[] | Promise<readonly string[]>;
  /** Rejects if the delivery has to be made again. @returns the answer of the receiver, if it is kept */
  deliver(event: RecordedEvent, delivery: ReactionDelivery): Promise<Pick<Attempt, 'status'> | void>;
}

/** Names a delivery. */
export interface ReactionDelivery {
  /** The same for each delivery of the event: an idempotency key for the commands that follow from it. */
  readonly key: string;
  readonly type: string;
}

/** A reaction of code: the events of some types, as they are recorded. */
export function reactionTo(
  types: ReadonlySet<string>,
  {
    name,
    pauses,
    deliver,
  }: Pick<Reaction, 'name' | 'deliver'> & {
    /** Before each further attempt, in milliseconds. After the last one a delivery is parked. */
    readonly pauses: readonly number[];
  },
): Reaction {
  return {
    name,
    life: 0,
    types,
    slots: 16,
    kept: 0,
    pauseMs: (failures) => pauses[failures - 1],
    asks: ({ type }) => (types.has(type) ? [type] : []),
    deliver,
  };
}

/** A delivery failed, with its own pause or end. */
export class DeliveryFailed extends Error {
  override readonly name = 'DeliveryFailed';

  constructor(
    message: string,
    readonly how: {
      readonly status?: number;
      /** The shortest pause that the receiver asks for, in milliseconds. */
      readonly afterMs?: number;
      /** The receiver is under load: no delivery of the reaction begins for this many milliseconds. */
      readonly holdsMs?: number;
      /** It is parked at once. */
      readonly isFinal?: true;
    } = {},
  ) {
    super(message);
  }
}

const DELIVERIES = '3f5f1d3e-0b62-4c0c-9a4e-6a1f6f3a52b7';

/** @param place of the event @param type of the delivery */
export function deliveryIdOf(reaction: string, { stream, revision }: Place, type: string): string {
  return derivedId(DELIVERIES, `${reaction} ${stream} ${revision} ${type}`);
}
