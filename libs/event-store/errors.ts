import { RedialError } from '#lib/kernel';
import type { AppendResult, ExpectedRevision } from './event-store.js';

/** The stream is not as the writer believed. The one error that is retried, and only by `handleCommand`. */
export class RevisionConflict extends RedialError {
  constructor(
    readonly stream: string,
    readonly expected: ExpectedRevision,
    /** Revision of the stream's last event; `undefined` when there is no stream. */
    readonly actual: number | undefined,
    /** The appends of `appendInOrder` before this one, which stay. */
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
 * The store cannot do its work now. Nothing of the append that failed was kept, unless the message says that its outcome
 * is unknown: only a store on the network can lose an answer. Repeating the append is safe either way.
 */
export class StoreUnavailable extends RedialError {
  override readonly answer = { status: 503, code: 'store-unavailable' };
}

/** There is no log where one is to be read. Nothing was made there. */
export class NoLog extends RedialError {
  override readonly answer = { status: 503, code: 'no-log' };
}

/** An append that only a bug can ask for: without events, with one id twice, with text that no UTF-8 can hold. */
export class InvalidAppend extends RedialError {}

/** More than one append may hold. Nothing of it was written. */
export class AppendTooLarge extends RedialError {
  override readonly answer = { status: 413, code: 'append-too-large' };
}
