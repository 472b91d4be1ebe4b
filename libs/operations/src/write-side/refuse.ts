import type { Rejection } from '#lib/kernel';
import { RejectionError } from './rejection-error.js';

/** @throws RejectionError */
export function refuse(rejection: Rejection): never {
  throw new RejectionError(rejection);
}
