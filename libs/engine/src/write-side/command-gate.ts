import { keyReused } from '#lib/event-store';
import type { Call } from './call.js';
import { RejectionError } from './rejection-error.js';

interface Running {
  readonly fingerprint: string;
  readonly answer: Promise<unknown>;
}

/** A repeat that comes while the first call still runs in this process waits for the first one's answer. */
export class CommandGate {
  private readonly running = new Map<string, Running>();

  /** @throws RejectionError when the key is in use with another input */
  once<T>({ commandId, fingerprint }: Call, work: () => Promise<T>): Promise<T> {
    const running = this.running.get(commandId);
    if (running && running.fingerprint !== fingerprint)
      return Promise.reject(new RejectionError(keyReused()));
    if (running) return running.answer as Promise<T>;
    const answer = work().finally(() => this.running.delete(commandId));
    this.running.set(commandId, { fingerprint, answer });
    return answer;
  }

  /** Once what runs now has ended: a stop waits for it, so that what was begun is written whole. */
  async settled(): Promise<void> {
    await Promise.allSettled([...this.running.values()].map(({ answer }) => answer));
  }
}
