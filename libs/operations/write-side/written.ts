/** The answer to a command, and its position in the log. */
export interface Written<T> {
  readonly value: T;
  /** The position of the last event that was appended for it; `undefined` if no event was needed. */
  readonly position: string | undefined;
  /** Whether it made something new, now or when the same call came first. */
  readonly created: boolean;
  /** Whether a repeat could not find this answer in the events of the call: it is recorded for keyed calls. */
  readonly isFleeting?: boolean;
}
