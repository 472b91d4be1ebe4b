import { reject, type Rejection } from '#lib/kernel';

/** The rejection of an id under which no model was called. */
export function unknownCall(callId: string): Rejection {
  return reject('unknown', 'unknown-call', {
    what: `call ${callId}`,
    why: 'no call has this id',
    fix: 'List the calls of its session',
  });
}
