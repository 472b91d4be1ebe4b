import type { Rejection } from '#lib/kernel';

/** A refusal on its way to the caller: what the decision said, thrown because Nest's buses answer with values or errors. */
export class RejectionError extends Error {
  constructor(
    readonly rejection: Rejection,
    /** The position of the last event, if some were appended before the refusal. */
    readonly position?: string,
  ) {
    super(rejection.message);
    this.name = 'RejectionError';
  }
}

/** @throws RejectionError */
export function refuse(rejection: Rejection): never {
  throw new RejectionError(rejection);
}
