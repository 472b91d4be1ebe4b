/** A part of the server's log without events of this log: after one position, up to and including another. */
export interface Gap {
  readonly after: bigint;
  readonly upTo: bigint;
}

/** The last known event of the log. `eventId` is missing if another process has noted only the position. */
export interface KnownHead {
  readonly sequence: bigint;
  readonly eventId: string | undefined;
}

/** Smaller gaps are read as fast as they are skipped. In bytes of the server's log. */
const WORTH_SKIPPING = 1_048_576n;

/**
 * The known parts of the server's log, so that no part is read twice. `floor` is the position of the log's first event, its marker; `gaps` are those
 * that other processes have found, in the order they found them.
 */
export class LogProgress {
  #head: bigint | undefined;
  #headId: string | undefined;
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

  get knownHead(): KnownHead | undefined {
    return this.#head === undefined ? undefined : { sequence: this.#head, eventId: this.#headId };
  }

  get scanned(): bigint {
    return this.#scanned;
  }

  /** The part after the last known event of this log that was read. */
  get lastGap(): Gap {
    return { after: this.#head ?? this.floor, upTo: this.#scanned };
  }

  /** Notes that an event of this log is at this position. */
  saw(sequence: bigint, eventId?: string): void {
    if (sequence === this.#head) this.#headId ??= eventId;
    if (sequence <= (this.#head ?? this.floor)) return;
    this.#head = sequence;
    this.#headId = eventId;
    if (sequence > this.#scanned) this.#scanned = sequence;
  }

  /** Notes that the log after `from`, up to and with `sequence`, was read, and that `saw` was called for this log's events in it. */
  passed(from: bigint, sequence: bigint): void {
    if (from > this.#scanned || sequence <= this.#scanned) return;
    this.#scanned = sequence;
    const { after } = this.lastGap;
    if (sequence - after >= WORTH_SKIPPING) this.#gaps.set(after, sequence);
  }

  /** The position from which the events after `sequence` can be read. */
  skip(sequence: bigint): bigint {
    if (sequence >= this.lastGap.after) return sequence < this.#scanned ? this.#scanned : sequence;
    for (const [after, upTo] of this.#gaps) if (after <= sequence && sequence < upTo) return upTo;
    return sequence < this.floor ? this.floor : sequence;
  }
}
