import { ChangeSignal } from '#lib/event-store';
import { serviceError } from './service-error.js';
import { grpc, type ServiceError } from './grpc.js';

/** The faults that a test can switch on in the stand-in. All are off at first. */
export class Misbehaviour {
  /** Every n-th call, and every n-th append within a call, fails as unavailable. */
  failEvery: number | undefined;
  /** Fails every append with this error of the server. */
  failAppends: ServiceError | undefined;
  /** Appends on a `BatchAppend` call are answered twice. */
  answersTwice = false;
  /** Answers to appends wait for this; what they answer is stored already. */
  answerAfter: Promise<void> | undefined;
  /** Each event of a read waits for this. */
  beforeEachEvent: (() => Promise<void>) | undefined;
  /** Called when an append has been stored and before it is answered. */
  onStored: (() => void) | undefined;
  /** Called when a call, or an append within one, has come in. */
  onCall: (() => void) | undefined;
  /** Called when a read or an append has come in, which waits for it; what it gives is called when the answer has been sent. */
  onTrip: ((what: 'read' | 'append', stream: string | undefined) => Promise<() => void>) | undefined;
  #calls = 0;
  #silent = false;
  readonly #heard = new ChangeSignal();

  /** Requests are neither answered nor executed, and calls that are open give nothing. Connections stay open. */
  get silent(): boolean {
    return this.#silent;
  }

  set silent(silent: boolean) {
    this.#silent = silent;
    this.#heard.announce();
  }

  /** Resolves at once where it is not silent. */
  async untilHeard(signal: AbortSignal): Promise<void> {
    while (this.#silent && !signal.aborted) await this.#heard.after(this.#heard.count, signal);
  }

  /** Counts a call. The error it is to end with, if any. */
  next(): ServiceError | undefined {
    this.onCall?.();
    this.#calls += 1;
    if (this.failEvery === undefined || this.#calls % this.failEvery !== 0) return undefined;
    return serviceError(grpc.status.UNAVAILABLE, 'Every n-th call fails.');
  }
}
