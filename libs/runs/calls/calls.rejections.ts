import { reject, type Rejection } from '#lib/kernel';

/** No model was called under this id. */
export function unknownCall(callId: string): Rejection {
  return reject('unknown', 'unknown-call', {
    what: `call ${callId}`,
    why: 'no call has this id',
    fix: 'List the calls of its session',
  });
}
