/** The first difference of a copy and its source, in log order. */
export interface CopyDifference {
  readonly stream: string;
  readonly revision: number;
  /** The difference: a part of the event, or another event, or none, at this position of one of the two logs. */
  readonly what:
    'event' | 'eventId' | 'type' | 'data' | 'metadata' | 'missing in the target' | 'only in the target';
}

/** The result of comparing a log with its copy. */
export interface LogComparison {
  /** Events that were compared and are equal. */
  readonly events: number;
  readonly streams: number;
  /** Large bodies, each counted once. */
  readonly blobs: number;
  /** Over stream, revision, id, type, data and metadata of every compared event, in log order. */
  readonly sha256: string;
  /** The first difference; events after it were not compared. Absent where the copy is whole and equal. */
  readonly difference?: CopyDifference;
}
