/** What of the process's settings goes into an arbitration's start. */
export type ArbitrationSettings = {
  /** Calls of an arbiter at most, the first included. 1: no retries. */
  readonly maxAttempts: number;
  /** Milliseconds until a call of a function is given up. */
  readonly callTimeoutMs: number;
  /** Milliseconds until a call of a webhook is given up. */
  readonly webhookTimeoutMs: number;
};
