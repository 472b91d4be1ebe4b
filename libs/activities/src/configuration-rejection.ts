import { reject, type Rejection } from '#lib/kernel';

/** What this process cannot do as it is configured: HTTP 422, code `configuration`. */
export function configurationRejection(what: string, why: string, fix: string): Rejection {
  return reject('refused', 'configuration', { errorClass: 'Configuration', what, why, fix });
}
