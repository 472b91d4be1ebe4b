import type { TrustPolicy } from '#lib/machine';
import type { ProposerExecution, SpecialistRegistration } from '#lib/specialist';
import { timeFromStored } from '../row/stored-time.js';
import type { Rows } from '../store/rows.js';

/** A specialist as one of its versions was registered, its execution mode in the members that the registration used. */
export type SpecialistRecord = {
  readonly role: 'proposer' | 'arbiter';
  readonly specialistId: string;
  readonly machineName: string;
  readonly version: number;
  readonly isHuman: boolean;
  readonly personId?: string;
  readonly threshold?: number;
  readonly enabled: boolean;
} & Pick<
  SpecialistRegistration,
  | 'strategyFnName'
  | 'strategyWebhookUrl'
  | 'contextFnName'
  | 'contextTemplate'
  | 'contextWebhookUrl'
  | 'modelId'
  | 'workflow'
  | 'askReasoning'
  | 'modelParameters'
  | 'backupModels'
  | 'systemPrompt'
  | 'webhookTokenName'
  | 'trust'
>;

/** A version of a specialist, and whether it is the one that was registered last. */
export type SpecialistVersionRecord = SpecialistRecord & {
  readonly current: boolean;
  /** ISO 8601, UTC. */
  readonly registeredAt: string;
};

/** A specialist of a machine, with the counts that decide whether it is asked and reinstated. */
export type MachineSpecialist = SpecialistRecord & {
  /** Registered with an operation, and not only declared by machines. */
  readonly standsAlone: boolean;
  /** Log position at which it was disabled; absent while it is enabled, and where it was registered disabled. */
  readonly disabledPosition?: string;
};

/** Every version of every specialist, beside what holds for all versions of one. */
export function versionRows(db: Rows<'specialists'>) {
  return db
    .selectFrom('specialists_v4 as specialist')
    .innerJoin('specialist_versions_v4 as one', (join) =>
      join
        .onRef('one.machine_name', '=', 'specialist.machine_name')
        .onRef('one.specialist_id', '=', 'specialist.specialist_id'),
    )
    .select([
      'specialist.machine_name',
      'specialist.specialist_id',
      'specialist.current_version',
      'specialist.stands_alone',
      'specialist.enabled',
      'specialist.disabled_position',
      'one.version',
      'one.role',
      'one.is_human',
      'one.person_id',
      'one.execution',
      'one.threshold',
      'one.trust',
      'one.registered_at',
    ]);
}

/** The version of each specialist that was registered last. */
export function currentRows(db: Rows<'specialists'>) {
  return versionRows(db).whereRef('one.version', '=', 'specialist.current_version');
}

type VersionRow = Awaited<ReturnType<ReturnType<typeof versionRows>['execute']>>[number];

export function specialistRecord(row: VersionRow): SpecialistRecord {
  const execution = row.execution === null ? {} : (JSON.parse(row.execution) as ProposerExecution);
  return {
    role: row.role as SpecialistRecord['role'],
    specialistId: row.specialist_id,
    machineName: row.machine_name,
    version: row.version,
    isHuman: row.is_human === 1,
    ...(row.person_id !== null && { personId: row.person_id }),
    ...execution,
    ...(row.threshold !== null && { threshold: row.threshold }),
    ...(row.trust !== null && { trust: JSON.parse(row.trust) as TrustPolicy }),
    enabled: row.enabled === 1,
  };
}

export function versionRecord(row: VersionRow): SpecialistVersionRecord {
  return {
    ...specialistRecord(row),
    current: row.version === row.current_version,
    registeredAt: timeFromStored(row.registered_at),
  };
}

export function machineSpecialist(row: VersionRow): MachineSpecialist {
  return {
    ...specialistRecord(row),
    standsAlone: row.stands_alone === 1,
    ...(row.disabled_position !== null && { disabledPosition: row.disabled_position }),
  };
}
