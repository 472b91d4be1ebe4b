import type { Sink } from '../io.js';
import type { TellProgress } from './copy-and-verify.js';

const EVERY_MS = 1000;
const CLEAR_LINE = '\r\u001B[2K';

/** A line a second at most that says how many events are done; on a terminal always the same line. */
export class CopyProgress {
  #saidAt = performance.now();
  #isOpen = false;

  constructor(private readonly err: Sink) {}

  readonly tell: TellProgress = (doing, events) => {
    const now = performance.now();
    if (now - this.#saidAt < EVERY_MS) return;
    this.#saidAt = now;
    const text = `${events} events ${doing} …`;
    this.err.write(this.err.isTTY ? `${CLEAR_LINE}${text}` : `${text}\n`);
    this.#isOpen = this.err.isTTY === true;
  };

  /** Makes room for what is said next. */
  end(): void {
    if (this.#isOpen) this.err.write(CLEAR_LINE);
    this.#isOpen = false;
  }
}
