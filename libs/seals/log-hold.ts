/** Whether an engine may make its log longer by itself. A start finds out why it may not, before the first call. */
export class LogHold {
  /**
   * `copied`, `restored`: the log waits for a claim, since what runs on the log that it comes from may still be copied to it. `taken`: it
   * was claimed for the engines of another lease store.
   */
  why: 'copied' | 'restored' | 'taken' | undefined;

  /** @param isReadOnly whether the engine answers queries only */
  constructor(private readonly isReadOnly: boolean) {}

  /** Whether a query may append what it gives to whom. */
  get letsQueriesRecord(): boolean {
    return !this.isReadOnly && this.why === undefined;
  }
}
