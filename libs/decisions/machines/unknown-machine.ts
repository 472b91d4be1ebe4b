import { reject, type Rejection } from '#lib/kernel';

/** The machine, or this version of it, is not defined. */
export function unknownMachine(machineName: string, version?: number): Rejection {
  return reject('unknown', 'unknown-machine', {
    what: `machine ${machineName}${version === undefined ? '' : ` version ${version}`}`,
    why: 'it is not defined',
    fix: 'Define it first, or check name and version',
  });
}
