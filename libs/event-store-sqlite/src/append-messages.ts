import type { EventToStore, ExpectedRevision } from '#lib/event-store';
import type { PackedAppends } from './packed-appends.mjs';

/** To the worker: appends to be made in one transaction, or the end. */
export type ToAppendWorker = PackedAppends | 'close';

/** From the worker: that it has opened the file; then for each transaction's appends their outcomes, in the same order. */
export type FromAppendWorker = 'ready' | readonly AppendOutcome[];

export interface AppendRequest {
  readonly stream: string;
  readonly expected: ExpectedRevision;
  readonly events: readonly EventToStore[];
}

/** `place` is the number in a position. A failure of the database is data: errors lose their members between threads. */
export type AppendOutcome =
  | { readonly kind: 'stored'; readonly revision: number; readonly place: number }
  | { readonly kind: 'conflict'; readonly actual: number | undefined }
  | { readonly kind: 'failed'; readonly code: string; readonly message: string };

export interface AppendWorkerData {
  readonly file: string;
  /** Address of the module of `decideAppend`. */
  readonly decideAppendModule: string;
}
