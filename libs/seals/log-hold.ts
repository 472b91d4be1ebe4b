/** Whether an engine may make its log longer by itself. A start finds out why it may not, before the first call. */
export class LogHold {
  /** Why the log waits for a claim: what runs on the log that it comes from may still be copied to it. */
  why: 'copied' | 'restored' | undefined;

  /** @param isReadOnly whether the engine answers queries only */
  constructor(private readonly isReadOnly: boolean) {}

  /** Whether a query may append what it gives to whom. */
  get letsQueriesRecord(): boolean {
    return !this.isReadOnly && this.why === undefined;
  }
}
