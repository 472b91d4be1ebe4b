import { reject, type Rejection } from '#lib/kernel';

/** Nobody defined this machine, or not this version of it. */
export function unknownMachine(machineName: string, version?: number): Rejection {
  return reject('unknown', 'unknown-machine', {
    errorClass: 'UnknownMachine',
    what: `machine ${machineName}${version === undefined ? '' : ` version ${version}`}`,
    why: 'it is not defined',
    fix: 'Define it first, or check name and version',
  });
}
