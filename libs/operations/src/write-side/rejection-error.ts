import type { Rejection } from '#lib/kernel';

/** A refusal on its way to the caller: what the decision said, thrown because Nest's buses answer with values or errors. */
export class RejectionError extends Error {
  constructor(
    readonly rejection: Rejection,
    /** Of the last event, where some were appended before it came to the refusal. */
    readonly position?: string,
  ) {
    super(rejection.message);
    this.name = 'RejectionError';
  }
}
