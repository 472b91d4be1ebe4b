import { setTimeout as delay } from 'node:timers/promises';

const LONGEST_MS = 1000;

export class NoAnswerInTime extends Error {}

/** A check whose caller waits a second for it at most. One that still runs is joined, so what hangs is not asked again and again. */
export class TimedCheck<Finding> {
  private running: Promise<Finding> | undefined;

  constructor(private readonly check: () => Promise<Finding>) {}

  /** @throws NoAnswerInTime, or what the check throws */
  async run(): Promise<Finding> {
    this.running ??= this.check().finally(() => (this.running = undefined));
    const waiting = new AbortController();
    const tooLate = delay(LONGEST_MS, undefined, { signal: waiting.signal }).then(() => {
      throw new NoAnswerInTime(`it did not answer within ${LONGEST_MS} ms`);
    });
    try {
      return await Promise.race([this.running, tooLate]);
    } finally {
      waiting.abort();
    }
  }
}
