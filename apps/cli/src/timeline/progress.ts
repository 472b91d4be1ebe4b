import { oneLine } from '../format/one-line.js';
import type { Paint } from '../format/paint.js';
import type { Sink } from '../io.js';

const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
const FRAME_MS = 100;
/** Characters that are shown of a text that is being written. */
const SHOWN = 60;
const CLEAR_LINE = '\r\u001B[2K';

/** A line at the bottom of a terminal that moves while somebody thinks. Elsewhere it writes nothing. */
export class Progress {
  #timer: NodeJS.Timeout | undefined;
  #heard = '';

  constructor(
    private readonly out: Sink,
    private readonly paint: Paint,
  ) {}

  show(name: string): void {
    this.clear();
    this.#heard = '';
    if (!this.out.isTTY) return;
    let frames = 0;
    const draw = () => {
      const seconds = Math.floor((frames * FRAME_MS) / 1000);
      const doing = this.#heard === '' ? 'is thinking …' : `writes …${oneLine(this.#heard, SHOWN)}`;
      const text = `${FRAMES[frames % FRAMES.length]} ${oneLine(name, 40)} ${doing} ${seconds} s`;
      this.out.write(`${CLEAR_LINE}${' '.repeat(13)}${this.paint('dim', text)}`);
      frames += 1;
    };
    this.#timer = setInterval(draw, FRAME_MS).unref();
    draw();
  }

  /** A part of what is awaited: its end is shown with the next frame. */
  hear(text: string): void {
    this.#heard = (this.#heard + text).slice(-SHOWN);
  }

  clear(): void {
    if (!this.#timer) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.out.write(CLEAR_LINE);
  }
}
