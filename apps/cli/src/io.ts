/** Where text goes. */
export interface Sink {
  write(text: string): unknown;
  /** A terminal: may be coloured, and written over. */
  readonly isTTY?: boolean;
}

/** What a command talks to. `out` takes results and nothing else, `err` what went wrong and what is only good to know. */
export interface Io {
  readonly out: Sink;
  readonly err: Sink;
  /** Resolves when somebody wants the process to end: what runs for ever waits for it. */
  untilStopped(this: void): Promise<unknown>;
}

export function printLines(sink: Sink, lines: readonly string[]): void {
  for (const line of lines) sink.write(`${line}\n`);
}
