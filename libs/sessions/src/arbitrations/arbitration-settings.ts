/** The settings of the process that an arbitration's start records. */
export type ArbitrationSettings = {
  /** Calls of an arbiter at most, the first included. 1: no retries. */
  readonly maxAttempts: number;
  /** Milliseconds until a call of a function is given up. */
  readonly callTimeoutMs: number;
  /** Milliseconds until a call of a webhook is given up. */
  readonly webhookTimeoutMs: number;
};
