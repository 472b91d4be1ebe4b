import { isRejection } from '#lib/kernel';
import { type DeclaredSpecialist, declaredSpecialists } from '#lib/decisions/machines';
import type { MachineSpecialist } from '#lib/read-models';
import type { Session } from '#lib/decisions/session';
import { type Arbiter, type Proposer, specialistBody } from '#lib/decisions/specialists';
import { versionRecord } from './specialist-record.js';

type OwnMachine = Pick<Session, 'machine' | 'machineVersion'>;

/** A specialist that belongs to one session has one version. */
const OWN_VERSION = 1;

/**
 * The specialists that belong to a session alone, because its machine came with it: the definition is all that is known of them.
 * None if the machine was defined before.
 */
export function ownSpecialists(session: OwnMachine): readonly MachineSpecialist[] {
  return ownVersions(session).map((one) => ({ ...versionRecord(one), standsAlone: false }));
}

/** One of these specialists, in the form that commands use. */
export function ownSpecialist(session: OwnMachine, specialistId: string): Proposer | Arbiter | undefined {
  return ownVersions(session).find((one) => one.specialistId === specialistId);
}

function ownVersions({ machine, machineVersion }: OwnMachine): readonly (Proposer | Arbiter)[] {
  if (machineVersion !== undefined) return [];
  return declaredSpecialists(machine).flatMap((declared) => ownVersion(machine.machineName, declared) ?? []);
}

function ownVersion(
  machineName: string,
  { declaration }: DeclaredSpecialist,
): Proposer | Arbiter | undefined {
  const body = specialistBody({ ...declaration, machineName });
  if (isRejection(body)) return undefined;
  const { specialistId, disabled } = declaration;
  return { specialistId, machineName, version: OWN_VERSION, enabled: !disabled, ...body };
}
