import { answerReaders, type Reading } from '#lib/event-store';

/**
 * The answers to the calls of one HTTP request, at most 100: each holds its share of the bytes of all readers until the connection has taken
 * the answer to the request. A call is refused if its answer gets no room in time.
 */
export class HeldAnswers {
  readonly #readings: Reading[] = [];
  #open = 0;

  /** @param stop ends a connection that does not read while others wait */
  constructor(private readonly stop: () => void) {}

  /** @throws TooManyReaders */
  async run<T>(answer: (reading: Reading) => Promise<T>): Promise<T> {
    const reading = answerReaders.open();
    this.#readings.push(reading);
    this.#open += 1;
    try {
      return await reading.run(() => answer(reading));
    } finally {
      this.#open -= 1;
      // The answers to one request are sent together.
      if (this.#open === 0) for (const one of this.#readings) one.sends(this.stop);
    }
  }

  close(): void {
    for (const reading of this.#readings) reading.close();
  }
}
