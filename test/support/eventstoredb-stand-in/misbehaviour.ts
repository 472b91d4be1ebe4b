import { serviceError } from './service-error.js';
import { grpc, type ServiceError } from './grpc.js';

/** The faults that a test can switch on in the stand-in. All are off at first. */
export class Misbehaviour {
  /** Requests are neither answered nor executed. Connections stay open. */
  silent = false;
  /** Every n-th call, and every n-th append within a call, fails as unavailable. */
  failEvery: number | undefined;
  /** Fails every append with this error of the server. */
  failAppends: ServiceError | undefined;
  /** Answers to appends wait for this; what they answer is stored already. */
  answerAfter: Promise<void> | undefined;
  /** Each event of a read waits for this. */
  beforeEachEvent: (() => Promise<void>) | undefined;
  /** Called when an append has been stored and before it is answered. */
  onStored: (() => void) | undefined;
  /** Called when a call, or an append within one, has come in. */
  onCall: (() => void) | undefined;
  #calls = 0;

  /** Counts a call. The error it is to end with, if any. */
  next(): ServiceError | undefined {
    this.onCall?.();
    this.#calls += 1;
    if (this.failEvery === undefined || this.#calls % this.failEvery !== 0) return undefined;
    return serviceError(grpc.status.UNAVAILABLE, 'Every n-th call fails.');
  }
}
