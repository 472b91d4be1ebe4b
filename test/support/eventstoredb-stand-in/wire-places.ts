import { formatPosition, sequenceOf, type Position } from '#lib/event-store';

/** Events of other applications that are not kept, only counted: they take room in the log, and time to look through. */
interface ForeignEvents {
  /** They stand right after the event at this place of the store. */
  readonly after: bigint;
  readonly count: number;
}

/** Of an event in bytes of the wire's log: places are apart as the records of a real log are. */
const OWN_SIZE = 64n;
const FOREIGN_SIZE = 256n;

/** Where the events of the store stand in the log as clients see it. */
export class WirePlaces {
  readonly #foreign: ForeignEvents[] = [];

  constructor(readonly logId: string) {}

  /** As many events of others as would take the server a while to look through. `after` is the log's last event. */
  addForeign(after: Position | undefined, count: number): void {
    this.#foreign.push({ after: after === undefined ? 0n : sequenceOf(this.logId, after), count });
  }

  toWire(position: Position): bigint {
    return this.#wireOf(sequenceOf(this.logId, position));
  }

  /** Where the log ends whose last event is this one. */
  end(last: Position | undefined): bigint {
    return this.#wireOf((last === undefined ? 0n : sequenceOf(this.logId, last)) + 1n);
  }

  /** The last event at or before a place of the wire. */
  upTo(wire: bigint): Position {
    return formatPosition(this.logId, this.#placeUpTo(wire));
  }

  /** The last event before a place of the wire. */
  before(wire: bigint): Position {
    return wire === 0n ? formatPosition(this.logId, 0) : this.upTo(wire - 1n);
  }

  /** The first event at or after a place of the wire. */
  from(wire: bigint): Position {
    const place = this.#placeUpTo(wire);
    return formatPosition(this.logId, this.#wireOf(place) === wire ? place : place + 1n);
  }

  /** How many events of others lie between two places of the wire. */
  foreignBetween(one: bigint, other: bigint): number {
    const [from, to] = one < other ? [one, other] : [other, one];
    const bytes = this.#blocks().reduce((sum, { start, end }) => {
      const overlap = (end < to ? end : to) - (start > from ? start : from);
      return overlap > 0n ? sum + overlap : sum;
    }, 0n);
    return Number(bytes / FOREIGN_SIZE);
  }

  /** The place of the event of others that is so many further than this place. */
  afterForeign(from: bigint, count: number): bigint {
    const next = this.#blocks().find(({ start, end }) => start > from || end > from);
    const place = next && next.start > from ? next.start - FOREIGN_SIZE : from;
    return place + BigInt(count) * FOREIGN_SIZE;
  }

  /** Whether an event stands at this place, or the log begins there. */
  holds(wire: bigint): boolean {
    if (this.#wireOf(this.#placeUpTo(wire)) === wire) return true;
    const block = this.#blocks().find(({ start, end }) => start <= wire && wire < end);
    return block !== undefined && (wire - block.start) % FOREIGN_SIZE === 0n;
  }

  #wireOf(place: bigint): bigint {
    const before = this.#foreign.filter(({ after }) => after < place);
    return place * OWN_SIZE + before.reduce((sum, { count }) => sum + BigInt(count) * FOREIGN_SIZE, 0n);
  }

  #placeUpTo(wire: bigint): bigint {
    let room = 0n;
    for (const { after, start, end } of this.#blocks()) {
      if (wire < start) break;
      if (wire < end) return after;
      room += end - start;
    }
    return (wire - room) / OWN_SIZE;
  }

  #blocks(): readonly { readonly after: bigint; readonly start: bigint; readonly end: bigint }[] {
    let room = 0n;
    return this.#foreign.map(({ after, count }) => {
      const start = (after + 1n) * OWN_SIZE + room;
      room += BigInt(count) * FOREIGN_SIZE;
      return { after, start, end: start + BigInt(count) * FOREIGN_SIZE };
    });
  }
}
