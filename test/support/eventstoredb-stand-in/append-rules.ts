import type { EventStore, ExpectedRevision, Position, StoredEvent } from '#lib/event-store';
import type { Deletions } from './deletions.js';
import type { KnownEvents } from './known-events.js';
import { fromStore, type ProposedEvent } from './proposed-event.js';

/** An append that is stored already: `position` is missing where the server cannot look it up. */
export interface Repeat {
  readonly kind: 'stored';
  /** `undefined`: there is no stream, which an append without events leaves as it is. */
  readonly revision: number | undefined;
  readonly position: Position | undefined;
}

export type Refusal =
  | { readonly kind: 'wrong-version'; readonly actual: number | undefined }
  | { readonly kind: 'deleted' }
  | { readonly kind: 'too-large'; readonly largest: number }
  | { readonly kind: 'bad-request'; readonly why: string };

/** After which revision the events go, or what else is to be answered. */
type Decision = { readonly kind: 'append'; readonly after: number | undefined } | Repeat | Refusal;

/** Which appends EventStoreDB takes, and which it knows as repeats. */
export class AppendRules {
  constructor(
    private readonly store: EventStore,
    private readonly deletions: Deletions,
    private readonly known: KnownEvents,
    /** The bytes of the data of one append; metadata and names do not count. */
    private readonly largest: number,
  ) {}

  async decide(
    stream: string,
    expected: ExpectedRevision,
    events: readonly ProposedEvent[],
  ): Promise<Decision> {
    if (stream === '') return { kind: 'bad-request', why: 'The stream has no name.' };
    if (events.some(({ type }) => type === '')) return { kind: 'bad-request', why: 'An event has no type.' };
    const size = events.reduce((sum, { data }) => sum + data.length, 0);
    if (size > this.largest) return { kind: 'too-large', largest: this.largest };
    if (this.deletions.of(stream).tombstoned) return { kind: 'deleted' };
    const last = (await this.#last(stream))?.revision;
    const wrong: Decision = { kind: 'wrong-version', actual: last };
    if (expected === 'stream-exists') {
      if (last === undefined) return wrong;
      if (this.deletions.isSoftDeleted(stream)) return { kind: 'deleted' };
    }
    if (expected === 'any' || expected === 'stream-exists') {
      return this.#decideByIds(stream, events, last, wrong);
    }
    const before = expected === 'no-stream' ? -1 : expected;
    if (before > (last ?? -1)) return wrong;
    if (before === (last ?? -1)) return appendAfter(last, events);
    return this.#decideByRevision(stream, before, events, wrong);
  }

  async #decideByIds(
    stream: string,
    events: readonly ProposedEvent[],
    last: number | undefined,
    wrong: Decision,
  ): Promise<Decision> {
    const known = events.map(({ eventId }) => this.known.in(stream, eventId));
    if (known[0] === undefined) return appendAfter(last, events);
    const ends = known.every((event) => event !== undefined) ? known.at(-1) : undefined;
    const [event] = ends ? await this.store.readStream(stream, { from: ends.revision, limit: 1 }) : [];
    return event ? { kind: 'stored', revision: event.revision, position: event.position } : wrong;
  }

  async #decideByRevision(
    stream: string,
    before: number,
    events: readonly ProposedEvent[],
    wrong: Decision,
  ): Promise<Decision> {
    const stored = await this.store.readStream(stream, { from: before + 1, limit: events.length });
    const ids = stored.map((event) => fromStore(event).eventId);
    const differs = events.findIndex(({ eventId }, index) => ids[index] !== eventId.toLowerCase());
    const last = stored.at(-1);
    const hidden = this.deletions.isSoftDeleted(stream);
    if (differs === -1) {
      const revision = last?.revision ?? (await this.#last(stream))?.revision;
      return { kind: 'stored', revision, position: hidden ? undefined : last?.position };
    }
    const revived = differs === 0 && before === -1 && hidden;
    return revived ? { kind: 'append', after: (await this.#last(stream))?.revision } : wrong;
  }

  async #last(stream: string): Promise<StoredEvent | undefined> {
    const [last] = await this.store.readStream(stream, { direction: 'backwards', limit: 1 });
    return last;
  }
}

/** Where nothing is to be appended, all of it is stored. */
function appendAfter(last: number | undefined, events: readonly ProposedEvent[]): Decision {
  return events.length > 0
    ? { kind: 'append', after: last }
    : { kind: 'stored', revision: last, position: undefined };
}
