/** Where a recorded history and its replay part. */
export interface Divergence {
  readonly stream: string;
  readonly revision: number;
  /** Of the recorded event. */
  readonly type: string;
  /** JSON pointer (RFC 6901) into the event: below `/data`, or `/type`. */
  readonly pointer: string;
  /** `undefined` where one side has nothing. */
  readonly recorded: unknown;
  readonly replayed: unknown;
}
