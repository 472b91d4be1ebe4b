import { derivedId, type RecordedEvent } from '#lib/kernel';
import type { Place } from './reaction.events.js';

/** A durable subscription to events of some types. */
export interface Reaction {
  readonly name: string;
  /** Recorded types. */
  readonly types: ReadonlySet<string>;
  /** Before each further attempt, in milliseconds. After the last one a delivery is parked. */
  readonly pauses: readonly number[];
  /** Rejects if the event is to come again. */
  deliver(event: RecordedEvent, delivery: ReactionDelivery): Promise<void>;
}

/** Which delivery it is. */
export interface ReactionDelivery {
  /** The same each time the event comes: an idempotency key for the commands that follow from it. */
  readonly key: string;
}

const DELIVERIES = '3f5f1d3e-0b62-4c0c-9a4e-6a1f6f3a52b7';

/** @param place of the event */
export function deliveryIdOf(reaction: string, { stream, revision }: Place, type: string): string {
  return derivedId(DELIVERIES, `${reaction} ${stream} ${revision} ${type}`);
}
