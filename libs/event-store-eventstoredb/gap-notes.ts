import { RevisionConflict, withPatience } from '#lib/event-store';
import type { Appender } from './appender.js';
import { gapNoted, type Marker, markerStream } from './log-marker.js';
import type { Gap, LogProgress } from './log-progress.js';

/** In bytes of the server's log. A smaller part is read again after a process was killed or closed. */
const WORTH_A_NOTE = 8_388_608n;
const WORTH_A_LAST_NOTE = 1_048_576n;
/** The time that a note may take: closing waits for it. */
const PATIENCE_MS = 1_000;

/**
 * Notes in the marker up to where the log is known, so that the next process neither looks for the head nor scans the parts of other applications. A
 * note only saves time: if it cannot be written, it is left out.
 */
export class GapNotes {
  #revision: number;
  #noted: bigint;
  #gap: Gap;
  #writing: Promise<void> | undefined;

  constructor(
    private readonly prefix: string,
    marker: Marker,
    private readonly progress: LogProgress,
    private readonly appender: Appender,
  ) {
    this.#revision = marker.revision;
    this.#noted = progress.scanned;
    this.#gap = progress.lastGap;
  }

  /** Called after each step. Writes a note once the log has grown by a quarter of its last gap, and by enough to be worth a note. */
  consider(): void {
    const gap = this.progress.lastGap;
    const over = gap.after === this.#gap.after ? [] : [this.#gap].filter(({ upTo }) => this.#isWorth(upTo));
    this.#gap = gap;
    const isDue = this.#isWorth(gap.upTo) && (gap.upTo - this.#noted) * 4n >= gap.upTo - gap.after;
    if (!this.#writing && (isDue || over.length > 0)) this.#note([...over, gap]);
  }

  async close(): Promise<void> {
    await this.#writing;
    const gap = this.progress.lastGap;
    if (gap.upTo - this.#noted >= WORTH_A_LAST_NOTE) this.#note([gap]);
    await this.#writing;
  }

  #isWorth(upTo: bigint): boolean {
    return upTo - this.#noted >= WORTH_A_NOTE;
  }

  #note(gaps: readonly Gap[]): void {
    this.#noted = this.progress.scanned;
    this.#writing = withPatience(PATIENCE_MS, () => this.#write(gaps)).finally(
      () => (this.#writing = undefined),
    );
  }

  async #write(gaps: readonly Gap[]): Promise<void> {
    try {
      await this.appender.append(markerStream(this.prefix), this.#revision, gaps.map(gapNoted));
      this.#revision += gaps.length;
    } catch (error) {
      if (error instanceof RevisionConflict) this.#revision = error.actual ?? this.#revision;
    }
  }
}
