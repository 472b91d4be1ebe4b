/** A part of the server's log without events of this log: after one position, up to and including another. */
export interface Gap {
  readonly after: bigint;
  readonly upTo: bigint;
}

/** Smaller gaps are read as fast as they are skipped. In bytes of the server's log. */
const WORTH_SKIPPING = 1_048_576n;

/**
 * How far the server's log is known, so that nothing of it is looked through twice. `floor` is the place of the log's first
 * event, its marker; `gaps` are what others have found, in the order they found it.
 */
export class LogProgress {
  #head: bigint | undefined;
  #scanned: bigint;
  readonly #gaps = new Map<bigint, bigint>();

  constructor(
    readonly floor: bigint,
    gaps: readonly Gap[] = [],
  ) {
    this.#scanned = floor;
    for (const { after, upTo } of gaps) {
      if (after > floor) this.saw(after);
      this.passed(after, upTo);
    }
  }

  /** The position of this log's last event at or before `scanned`. */
  get head(): bigint | undefined {
    return this.#head;
  }

  get scanned(): bigint {
    return this.#scanned;
  }

  /** The part between the end of the known log and the head. */
  get lastGap(): Gap {
    return { after: this.#head ?? this.floor, upTo: this.#scanned };
  }

  /** An event of this log is at this position. */
  saw(place: bigint): void {
    if (place <= (this.#head ?? this.floor)) return;
    this.#head = place;
    if (place > this.#scanned) this.#scanned = place;
  }

  /** All of the log after `from`, up to and with `place`, was looked through, and `saw` has had what is ours. */
  passed(from: bigint, place: bigint): void {
    if (from > this.#scanned || place <= this.#scanned) return;
    this.#scanned = place;
    const { after } = this.lastGap;
    if (place - after >= WORTH_SKIPPING) this.#gaps.set(after, place);
  }

  /** The position from which the events after `place` can be read. */
  skip(place: bigint): bigint {
    if (place >= this.lastGap.after) return place < this.#scanned ? this.#scanned : place;
    for (const [after, upTo] of this.#gaps) if (after <= place && place < upTo) return upTo;
    return place < this.floor ? this.floor : place;
  }
}
