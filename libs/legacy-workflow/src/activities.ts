import type { Event, Rejection } from '#lib/kernel';

/** Performs what workflows request of the outside world. One request is at most one call on the wire. */
export interface Activities<E extends Event> {
  /** Whether this process could perform the request: a missing key or an unregistered function is said before anything is recorded. */
  preflight(request: E): Rejection | undefined;
  /**
   * The outcome to record. Failures of the outside are outcomes, not exceptions; an exception is a bug, and leaves the request
   * without an outcome. Once the signal comes it answers soon, with what it has or with a failure of kind `interrupted`.
   */
  perform(request: E, signal: AbortSignal): Promise<E>;
}
