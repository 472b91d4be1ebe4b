import { reject, type Rejection } from '#lib/kernel';

/** The rejection of a machine, or a version of it, that is not defined. */
export function unknownMachine(machineName: string, version?: number): Rejection {
  return reject('unknown', 'unknown-machine', {
    what: `machine ${machineName}${version === undefined ? '' : ` version ${version}`}`,
    why: 'it is not defined',
    fix: 'Define it first, or check name and version',
  });
}
