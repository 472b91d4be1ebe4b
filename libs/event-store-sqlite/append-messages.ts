import type { StreamAppend } from '#lib/event-store';
import type { OpenedFile } from './opened-files.mjs';
import type { PackedAppends } from './packed-appends.mjs';

/** To the worker: requests for one transaction, or the end. */
export type ToAppendWorker = PackedAppends | 'close';

/** From the worker: the outcomes of one transaction's requests, in the same order. */
export type FromAppendWorker = readonly AppendOutcome[];

/** Appends to be made in order, up to the first conflict. */
export type AppendRequest = readonly StreamAppend[];

/** `sequence` is the number in a position. */
export interface StoredAppend {
  readonly revision: number;
  readonly sequence: number;
}

/**
 * A conflict is that of the append after the stored ones. A failure of the database is sent as data, because errors lose their members between
 * threads.
 */
export type AppendOutcome =
  | { readonly kind: 'stored'; readonly stored: readonly StoredAppend[] }
  | {
      readonly kind: 'conflict';
      readonly actual: number | undefined;
      readonly stored: readonly StoredAppend[];
    }
  | { readonly kind: 'failed'; readonly code: string; readonly message: string };

export interface AppendWorkerData {
  readonly file: string;
  /** The id of the log that was opened. The worker opens the file later, and refuses another log. */
  readonly logId: string;
  /** The file that was opened, and its -wal file. */
  readonly opened: readonly OpenedFile[];
  /** Address of the module of `decideAppend`. */
  readonly decideAppendModule: string;
}
