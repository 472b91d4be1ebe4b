import { reject, type Rejection } from '#lib/kernel';

/** The rejection of a call that this process is not configured for: HTTP 422, code `configuration`. */
export function configurationRejection(what: string, why: string, fix: string): Rejection {
  return reject('refused', 'configuration', { what, why, fix });
}
