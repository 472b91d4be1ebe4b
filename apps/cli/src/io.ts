/** A sink of text. */
export interface Sink {
  write(text: string): unknown;
  /** A terminal: may be coloured, and written over. */
  readonly isTTY?: boolean;
}

/** The streams of a command. `out` takes results and nothing else, `err` takes errors and hints. */
export interface Io {
  readonly out: Sink;
  readonly err: Sink;
  /** The lines that somebody types. Default: standard input. */
  readonly typed?: AsyncIterable<string>;
  /** Resolves when somebody wants the process to end: what runs for ever waits for it. */
  untilStopped(this: void): Promise<unknown>;
}

export function printLines(sink: Sink, lines: readonly string[]): void {
  for (const line of lines) sink.write(`${line}\n`);
}
