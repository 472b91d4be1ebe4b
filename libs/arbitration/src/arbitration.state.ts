import type { ArbitrationFailure, Verdict } from '#lib/session';
import type { ArbiterCallRequested, ArbitrationStarted } from './arbitration.events.js';

/** What came of a call. */
export type ArbiterReply =
  | { readonly kind: 'verdict'; readonly verdict: Verdict }
  | {
      readonly kind: 'failed';
      readonly failure: ArbitrationFailure;
      /** Whether the same request may be made again, where retries are switched on. */
      readonly retryable: boolean;
      /** Milliseconds the other side asks to wait before that; absent where it does not say. */
      readonly retryAfterMs?: number;
    };

export interface ArbitrationState {
  readonly start: ArbitrationStarted['data'];
  /** How many requests were made: the next one's number. */
  readonly requests: number;
  readonly pending?: ArbiterCallRequested;
  /** What came of the last call. */
  readonly reply?: ArbiterReply;
}
