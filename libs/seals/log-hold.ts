/** Whether an engine may append to its log without a command. A start finds the reasons against it before the first call. */
export class LogHold {
  /**
   * `copied`, `restored`: the log waits for a claim, since an engine on the original log may still append there, and its events may be
   * copied to this one. `taken`: the log was claimed for the engines of another lease store.
   */
  why: 'copied' | 'restored' | 'taken' | undefined;

  /** @param isReadOnly whether the engine only answers queries */
  constructor(private readonly isReadOnly: boolean) {}

  /** Whether a query may record that it exports content. */
  get letsQueriesRecord(): boolean {
    return !this.isReadOnly && this.why === undefined;
  }
}
