import { RevisionConflict } from '#lib/event-store';
import type { Appender } from './appender.js';
import { gapNoted, type Marker, markerStream } from './log-marker.js';
import type { LogProgress } from './log-progress.js';

/** In bytes of the server's log: less is looked through again after a restart. */
const WORTH_A_NOTE = 8_388_608n;

/**
 * Notes in the marker how far the log is known, so that the next process neither looks for the head nor looks through what is
 * others'. A note spares time and nothing else: one that cannot be written is left out.
 */
export class GapNotes {
  #revision: number;
  #noted: bigint;
  #writing: Promise<void> | undefined;

  constructor(
    private readonly prefix: string,
    marker: Marker,
    private readonly progress: LogProgress,
    private readonly appender: Appender,
  ) {
    this.#revision = marker.revision;
    this.#noted = progress.scanned;
  }

  /** After each step: writes a note once the log has grown by a quarter of its last gap, and by what is worth a note. */
  consider(): void {
    const { after, upTo } = this.progress.lastGap;
    const grown = upTo - this.#noted;
    if (this.#writing || grown < WORTH_A_NOTE || grown * 4n < upTo - after) return;
    this.#writing = this.#write().finally(() => (this.#writing = undefined));
  }

  async written(): Promise<void> {
    await this.#writing;
  }

  async #write(): Promise<void> {
    const gap = this.progress.lastGap;
    this.#noted = gap.upTo;
    try {
      await this.appender.append(markerStream(this.prefix), this.#revision, [gapNoted(gap)]);
      this.#revision += 1;
    } catch (error) {
      if (error instanceof RevisionConflict) this.#revision = error.actual ?? this.#revision;
    }
  }
}
