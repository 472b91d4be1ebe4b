import { reject, type Rejection } from '#lib/kernel';

export const unknownGate = (gateId: string): Rejection =>
  reject('unknown', 'unknown-gate', {
    what: `gate ${gateId}`,
    why: 'no gate has this id, or it was deleted',
    fix: 'Check the id, or create the gate first',
  });

export const unknownInvocation = (gateId: string, sessionId: string): Rejection =>
  reject('unknown', 'unknown-invocation', {
    what: `invocation ${sessionId} of gate ${gateId}`,
    why: 'no session of this gate has this id',
    fix: 'Use the sessionId in the result of the invocation',
  });

/** The name of a gate is the name of its machine: an existing machine must not get a gate as its next version. */
export const nameTaken = (gateId: string): Rejection =>
  reject('conflict', 'machine-exists', {
    what: `gate ${gateId}`,
    why: 'a machine of this name is defined, and is not a gate',
    fix: 'Choose another gateId',
  });
