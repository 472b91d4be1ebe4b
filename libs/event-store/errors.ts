import { RedialError } from '#lib/kernel';
import type { AppendResult, ExpectedRevision } from './event-store.js';

/** The stream is not at the revision that the writer expected. The only error that is retried, and only by `handleCommand`. */
export class RevisionConflict extends RedialError {
  constructor(
    readonly stream: string,
    readonly expected: ExpectedRevision,
    /** The revision of the stream's last event; `undefined` if there is no stream. */
    readonly actual: number | undefined,
    /** The results of the appends of `appendInOrder` before this one. They stay. */
    readonly written: readonly AppendResult[] = [],
  ) {
    super(
      `cannot append to ${stream}`,
      `expected ${typeof expected === 'number' ? `revision ${expected}` : expected}, found ${actual ?? 'no stream'}`,
      'Read the stream again and repeat the decision',
    );
  }
}

/**
 * The store cannot do its work now. The failed append was not stored, unless the message says that its outcome is unknown: only a store on the
 * network can lose an answer. Repeating the append is safe in both cases.
 */
export class StoreUnavailable extends RedialError {
  override readonly answer = { status: 503, code: 'store-unavailable' };
}

/** No log exists where one is to be read. None was made. */
export class NoLog extends RedialError {
  override readonly answer = { status: 503, code: 'no-log' };
}

/** An append that only a bug can ask for: without events, with an id twice, or with text that UTF-8 cannot hold. */
export class InvalidAppend extends RedialError {}

/** The append is larger than one append may be. No event of it was written. */
export class AppendTooLarge extends RedialError {
  override readonly answer = { status: 413, code: 'append-too-large' };
}
