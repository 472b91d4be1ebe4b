import { oneLine } from '#lib/kernel';
import type { RunDelta } from '#lib/runs/runs/core';
import type { Paint, Sink } from '../io.js';
import { CLEAR_LINE } from '../terminal.js';

const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
const FRAME_MS = 100;
/** Characters that are shown of a reply in progress. */
const SHOWN = 60;

/** A line at the bottom of a terminal that moves while a model works. Without a terminal it writes no text. */
export class Progress {
  #timer: NodeJS.Timeout | undefined;
  #draw = () => {};
  /** The end of the text of each call, the call of the last delta last. */
  readonly #heard = new Map<string, string>();

  constructor(
    private readonly out: Sink,
    private readonly paint: Paint,
  ) {}

  show(name: string): void {
    this.clear();
    this.#heard.clear();
    if (!this.out.isTTY) return;
    let frames = 0;
    this.#draw = () => {
      const seconds = Math.floor((frames * FRAME_MS) / 1000);
      const [heard] = [...this.#heard.values()].slice(-1);
      const doing = heard === undefined ? 'is thinking …' : `writes …${oneLine(heard, SHOWN)}`;
      const text = `${FRAMES[frames % FRAMES.length]} ${oneLine(name, 40)} ${doing} ${seconds} s`;
      this.out.write(`${CLEAR_LINE}${' '.repeat(13)}${this.paint('dim', text)}`);
    };
    this.#timer = setInterval(() => {
      frames += 1;
      this.#draw();
    }, FRAME_MS).unref();
    this.#draw();
  }

  /** A part of a reply: the end of the reply is shown. */
  hear({ stream, callId, text }: RunDelta): void {
    const call = `${stream} ${callId}`;
    const heard = ((this.#heard.get(call) ?? '') + text).slice(-SHOWN);
    this.#heard.delete(call);
    this.#heard.set(call, heard);
    if (this.#timer) this.#draw();
  }

  clear(): void {
    if (!this.#timer) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.out.write(CLEAR_LINE);
  }
}
