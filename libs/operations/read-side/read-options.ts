/** Reading as new as this position of the log, if the rows get there in time. */
export interface ReadOptions {
  readonly minPosition?: string;
}
