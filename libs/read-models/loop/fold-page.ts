import { setImmediate } from 'node:timers/promises';
import {
  type EventLog,
  KeyMissing,
  type StoredEvent,
  StoreUnavailable,
  UndecodableEvent,
  UnknownEvent,
} from '#lib/event-store';
import type { RecordedEvent } from '#lib/kernel';
import type { Kysely } from 'kysely';
import type { LogEvent } from '../runner/log-reader.js';
import type { ReadSchema } from '../store/read-schema.js';
import type { NumberedEvent, Ref } from './declare.js';
import { EventNotProjected } from '../runner/event-not-projected.js';
import type { Plan, Plans } from './plans.js';
import type { Slot } from './slot.js';
import { LOST_KEY, type Still } from './standing-still.js';

/** Events that are folded before other work of the process runs. Reading and storing a longer page have turns of their own. */
const SLICE = 128;

/** An event with its documents. */
interface Planned {
  readonly event: LogEvent;
  readonly decoded: RecordedEvent;
  readonly plan: Plan;
  readonly id: string;
  readonly number: number;
}

interface Parts {
  readonly log: EventLog;
  readonly db: Kysely<ReadSchema>;
  readonly plans: Plans;
  readonly slot: Slot;
  readonly still: Still;
  /** The name of the loop: only undecodable events make their streams stand still, other errors stop it. */
  readonly stopsAtErrors: string | undefined;
}

/** The event for which a fold threw: the page is folded again without it. */
interface Refused {
  readonly event: LogEvent;
  readonly error: unknown;
}

/** Folds pages of events into a slot, in memory. */
export class PageFold {
  constructor(private readonly parts: Parts) {}

  /**
   * Folds these events. The stream of an event that cannot be folded stands still from that event on.
   * @param first the number of the first event
   * @param refused events that a fold or the store has refused: they are not folded
   * @returns the event that a fold refused; then the changes of the page are void
   * @throws EventNotProjected at an event of a newer build; StoreUnavailable; TooManyStandStill
   */
  async fold(
    events: readonly LogEvent[],
    first: number,
    refused: ReadonlyMap<string, unknown>,
  ): Promise<Refused | undefined> {
    const isLong = events.length > SLICE;
    for (let from = 0; from < events.length; from += SLICE) {
      if (isLong) await setImmediate();
      const slice = events.slice(from, from + SLICE);
      const planned = await this.#planned(slice, first + from, refused);
      for (const one of planned) {
        const error = this.#foldOne(one);
        if (error !== undefined) return { event: one.event, error };
      }
    }
    if (isLong) await setImmediate();
    return undefined;
  }

  /** Decodes a slice of the page and loads its documents. */
  async #planned(
    slice: readonly LogEvent[],
    first: number,
    refused: ReadonlyMap<string, unknown>,
  ): Promise<readonly Planned[]> {
    const planned: Planned[] = [];
    const refs: Ref[] = [];
    for (const [at, event] of slice.entries()) {
      const plan = this.#planOf(event);
      if (!plan || this.#standsStill(event)) continue;
      try {
        if (refused.has(event.stored.position)) throw refused.get(event.stored.position);
        const found = this.#decoded(event);
        // Without a promise for an event that is whole, as most are.
        const decoded = found instanceof Promise ? await found : found;
        const one = { event, decoded, plan, id: event.streamName?.id ?? '', number: first + at };
        this.#addRefs(one, refs);
        planned.push(one);
      } catch (error) {
        this.#setAside(event, error);
      }
    }
    await this.parts.slot.load(this.parts.db, refs);
    return planned;
  }

  /** @throws EventNotProjected */
  #planOf(event: LogEvent): Plan | undefined {
    const { streamName, stored } = event;
    if (!streamName) return undefined;
    const plan = this.parts.plans.of(streamName.category, stored.type);
    if (plan || !this.parts.plans.names(streamName.category)) return plan;
    try {
      event.checkType();
      return undefined;
    } catch (error) {
      throw new EventNotProjected('rows', stored, error);
    }
  }

  #standsStill({ stored: { stream, position } }: LogEvent): boolean {
    return this.parts.still.at(stream, position) !== undefined;
  }

  #decoded(event: LogEvent): RecordedEvent | Promise<RecordedEvent> {
    if (this.#isOfAnotherBuild(event)) return this.#outlineOf(event);
    return event.isInParts() ? event.whole().then((whole) => whole.decoded()) : event.decoded();
  }

  /** A workflow that this process does not have may declare types of its own. */
  #isOfAnotherBuild({ streamName, stored }: LogEvent): boolean {
    const isNamed = streamName !== undefined && this.parts.plans.names(streamName.category);
    return !isNamed && !this.parts.log.codec.knows(stored.type);
  }

  /** The event without its data, whose type this build cannot decode. */
  #outlineOf({ stored }: LogEvent): RecordedEvent {
    const { eventId, type, stream, revision, position } = stored;
    const metadata = this.parts.log.codec.metadataOf(stored);
    const { occurredAt, schemaVersion = 1 } = metadata;
    return { eventId, type, stream, revision, position, occurredAt, schemaVersion, data: {}, metadata };
  }

  /** @throws NeedsStillStream, and any error of the needs' declaration */
  #addRefs({ event: { stored }, decoded, plan, id }: Planned, refs: Ref[]): void {
    const { slot, still } = this.parts;
    const needed: Ref[] = [];
    for (const needs of plan.needs) needed.push(...needs(decoded, id));
    if (still.count > 0) this.#expectMoving(needed, stored);
    for (const ref of needed) {
      if (ref[2] === 'new') slot.expectNone(ref[0], ref[1]);
      refs.push(ref);
    }
    for (const kind of plan.own) {
      // The first event of a stream: its documents have no rows.
      if (stored.revision === 0) slot.expectNone(kind, id);
      refs.push([kind, id]);
    }
  }

  /** @throws NeedsStillStream */
  #expectMoving(needed: readonly Ref[], { stream, position }: StoredEvent): void {
    for (const ref of needed) {
      const because = this.#streamOf(ref);
      if (because === undefined || because === stream) continue;
      if (this.parts.still.at(because, position)) throw new NeedsStillStream(because);
    }
  }

  #streamOf([kind, id]: Ref): string | undefined {
    const category = this.parts.plans.categoryOf(kind);
    return category === undefined ? undefined : this.parts.log.streams.of(category, id);
  }

  /** An event of a newer build and an unavailable store are thrown: the event itself is good. */
  #setAside({ stored }: LogEvent, error: unknown): void {
    if (error instanceof UnknownEvent) throw new EventNotProjected('rows', stored, error);
    if (error instanceof StoreUnavailable) throw error;
    const isOfLog = [UndecodableEvent, KeyMissing, NeedsStillStream].some((one) => error instanceof one);
    const { stopsAtErrors } = this.parts;
    if (stopsAtErrors !== undefined && !isOfLog) throw new EventNotProjected(stopsAtErrors, stored, error);
    this.parts.still.add(stored, error, causeOf(error));
  }

  #foldOne({ event, decoded, plan, id, number }: Planned): unknown {
    const { category = '' } = event.streamName ?? {};
    // An earlier event of its stream was refused after this one was decoded.
    if (this.#standsStill(event)) return undefined;
    try {
      const numbered = numberedEvent(decoded, number);
      for (const fold of plan.folds) fold(this.parts.slot, numbered, id, category);
      return undefined;
    } catch (error) {
      return error;
    }
  }
}

function causeOf(error: unknown): string | undefined {
  if (error instanceof KeyMissing) return LOST_KEY;
  return error instanceof NeedsStillStream ? error.stream : undefined;
}

/** Written out because it runs for each event: a literal that begins with a spread takes microseconds. */
function numberedEvent(event: RecordedEvent, number: number): NumberedEvent {
  const { eventId, type, stream, revision, position, occurredAt, schemaVersion, data, metadata } = event;
  return { eventId, type, stream, revision, position, occurredAt, schemaVersion, data, metadata, number };
}

/** The event needs a document of a stream that stands still. */
class NeedsStillStream extends Error {
  constructor(readonly stream: string) {
    super(`It needs a document of ${stream}, which stands still`);
  }
}
