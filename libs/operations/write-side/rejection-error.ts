import { isRejection, refusedAt, type Rejection } from '#lib/kernel';

/** A rejection on its way to the caller, thrown because Nest's buses answer with values or errors. */
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

/** The value, if it is no rejection. @throws RejectionError */
export function orRefused<Found>(found: Found | Rejection): Found {
  return isRejection(found) ? refuse(found) : found;
}

/** Does work for a member of the input: its rejections name the member. @param path its JSON pointer @throws RejectionError */
export async function refusingAt<T>(path: string, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof RejectionError)) throw error;
    throw new RejectionError(refusedAt(path, error.rejection), error.position);
  }
}
