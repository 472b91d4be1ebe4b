import { setImmediate } from 'node:timers/promises';
import {
  type EventLog,
  KeyMissing,
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
import type { Still } from './standing-still.js';

/** So many events are looked at before other work of the process has its turn; a longer page was read, and is stored, in turns of its own. */
const SLICE = 128;

/** An event that was given its documents. */
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
  /** Its loop. Only events that cannot be decoded let their streams stand still. */
  readonly stopsAtErrors: string | undefined;
}

/** A fold threw in the middle of a page, which begins again without that event. */
interface Refused {
  readonly event: LogEvent;
  readonly error: unknown;
}

/** Folds pages of events into a slot, in memory. */
export class PageFold {
  constructor(private readonly parts: Parts) {}

  /**
   * The changes of these events. The stream of an event that cannot be taken stands still from it on.
   * @param first the number of the first of them
   * @param refused events that are not folded: a fold, or the store, has refused them
   * @returns the event that a fold refused; then nothing of the page counts
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

  /** Decodes a slice and loads its documents. */
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
        const one = await this.#decode(event, plan, first + at);
        refs.push(...this.#refsOf(one));
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

  async #decode(event: LogEvent, plan: Plan, number: number): Promise<Planned> {
    const id = event.streamName?.id ?? '';
    if (this.#isOfAnotherBuild(event)) return { event, decoded: this.#outlineOf(event), plan, id, number };
    const whole = event.isInParts() ? await event.whole() : event;
    return { event, decoded: whole.decoded(), plan, id, number };
  }

  /** Workflows that a process does not have may declare types of their own. */
  #isOfAnotherBuild({ streamName, stored }: LogEvent): boolean {
    const isNamed = streamName !== undefined && this.parts.plans.names(streamName.category);
    return !isNamed && !this.parts.log.codec.knows(stored.type);
  }

  /** An event whose data cannot be read. */
  #outlineOf({ stored }: LogEvent): RecordedEvent {
    const { eventId, type, stream, revision, position } = stored;
    const metadata = this.parts.log.codec.metadataOf(stored);
    const { occurredAt, schemaVersion = 1 } = metadata;
    return { eventId, type, stream, revision, position, occurredAt, schemaVersion, data: {}, metadata };
  }

  /** @throws NeedsStillStream, and what the declaration of the needs throws */
  #refsOf({ event: { stored }, decoded, plan, id }: Planned): readonly Ref[] {
    const needed = plan.needs.flatMap((needs) => needs(decoded, id));
    for (const ref of needed) {
      const because = this.#streamOf(ref);
      if (because === undefined || because === stored.stream) continue;
      if (this.parts.still.at(because, stored.position)) throw new NeedsStillStream(because);
    }
    // No other event can have made them.
    if (stored.revision === 0) for (const kind of plan.own) this.parts.slot.expectNone(kind, id);
    for (const [kind, made, is] of needed) if (is === 'new') this.parts.slot.expectNone(kind, made);
    return [...needed, ...plan.own.map((kind) => [kind, id] as const)];
  }

  #streamOf([kind, id]: Ref): string | undefined {
    const category = this.parts.plans.categoryOf(kind);
    return category === undefined ? undefined : this.parts.log.streams.of(category, id);
  }

  /** An event of a newer build, and a store that is away, say nothing about the event. */
  #setAside({ stored }: LogEvent, error: unknown): void {
    if (error instanceof UnknownEvent) throw new EventNotProjected('rows', stored, error);
    if (error instanceof StoreUnavailable) throw error;
    const isOfLog = [UndecodableEvent, KeyMissing, NeedsStillStream].some((one) => error instanceof one);
    const { stopsAtErrors } = this.parts;
    if (stopsAtErrors !== undefined && !isOfLog) throw new EventNotProjected(stopsAtErrors, stored, error);
    this.parts.still.add(stored, error, error instanceof NeedsStillStream ? error.stream : undefined);
  }

  #foldOne({ event, decoded, plan, id, number }: Planned): unknown {
    const { category = '' } = event.streamName ?? {};
    // An earlier event of its stream was found to be bad after this one was read.
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

/** Written out, because it runs for each event: a literal that begins with a spread takes microseconds. */
function numberedEvent(event: RecordedEvent, number: number): NumberedEvent {
  const { eventId, type, stream, revision, position, occurredAt, schemaVersion, data, metadata } = event;
  return { eventId, type, stream, revision, position, occurredAt, schemaVersion, data, metadata, number };
}

/** The document that an event needs is of a stream that stands still. */
class NeedsStillStream extends Error {
  constructor(readonly stream: string) {
    super(`It needs a document of ${stream}, which stands still`);
  }
}
