/** A part of the server's log without events of this log: after one position, up to and including another. */
export interface Gap {
  readonly after: bigint;
  readonly upTo: bigint;
}

/** The last event of the log that is known. `eventId` is missing where another process has noted the position alone. */
export interface KnownHead {
  readonly sequence: bigint;
  readonly eventId: string | undefined;
}

/** Smaller gaps are read as fast as they are skipped. In bytes of the server's log. */
const WORTH_SKIPPING = 1_048_576n;

/**
 * How far the server's log is known, so that no part is read twice. `floor` is the position of the log's first
 * event, its marker; `gaps` are what others have found, in the order they found it.
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

  /** The part between the end of the known log and the head. */
  get lastGap(): Gap {
    return { after: this.#head ?? this.floor, upTo: this.#scanned };
  }

  /** An event of this log is at this position. */
  saw(sequence: bigint, eventId?: string): void {
    if (sequence === this.#head) this.#headId ??= eventId;
    if (sequence <= (this.#head ?? this.floor)) return;
    this.#head = sequence;
    this.#headId = eventId;
    if (sequence > this.#scanned) this.#scanned = sequence;
  }

  /** All of the log after `from`, up to and with `sequence`, was read, and `saw` was called for this log's events. */
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
