import type { SpecialistRegistration } from '#lib/decisions/specialists';
import type { Rows } from '../store/rows.js';
import { recordOf, type RecordOf, type SchemaOf } from '../store/table.js';
import { specialistsTable, specialistVersionsTable } from './specialists.read-model.js';

type SpecialistTables = SchemaOf<typeof specialistsTable | typeof specialistVersionsTable>;
type Version = RecordOf<typeof specialistVersionsTable>;

/** A version of a specialist as registered, with its execution mode in the members of the registration. */
export type SpecialistRecord = Omit<Version, 'execution' | 'registeredAt'> & {
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
  >;

/** A version of a specialist, and whether it is the current one. */
export type SpecialistVersionRecord = SpecialistRecord & {
  readonly current: boolean;
  /** ISO 8601, UTC. */
  readonly registeredAt: string;
};

/** A specialist of a machine, with the counts that decide whether it is asked and reinstated. */
export type MachineSpecialist = SpecialistRecord &
  Pick<RecordOf<typeof specialistsTable>, 'standsAlone' | 'disabledPosition'>;

/** Every version of every specialist, with the columns that hold for all its versions. */
export function versionRows(db: Rows<'specialists'>) {
  return db
    .withTables<SpecialistTables>()
    .selectFrom(`${specialistsTable.name} as specialist` as const)
    .innerJoin(`${specialistVersionsTable.name} as one` as const, (join) =>
      join
        .onRef('one.machine_name', '=', 'specialist.machine_name')
        .onRef('one.specialist_id', '=', 'specialist.specialist_id'),
    )
    .selectAll('one')
    .select([
      'specialist.current_version',
      'specialist.stands_alone',
      'specialist.enabled',
      'specialist.disabled_position',
    ]);
}

/** The current version of each specialist. */
export function currentRows(db: Rows<'specialists'>) {
  return versionRows(db).whereRef('one.version', '=', 'specialist.current_version');
}

type VersionRow = Awaited<ReturnType<ReturnType<typeof versionRows>['execute']>>[number];

export function specialistRecord(row: VersionRow): SpecialistRecord {
  const { execution, registeredAt: _, ...version } = recordOf(specialistVersionsTable, row);
  return { ...version, ...execution, enabled: row.enabled === 1 };
}

export function versionRecord(row: VersionRow): SpecialistVersionRecord {
  const { registeredAt } = recordOf(specialistVersionsTable, { registered_at: row.registered_at });
  return { ...specialistRecord(row), current: row.version === row.current_version, registeredAt };
}

export function machineSpecialist(row: VersionRow): MachineSpecialist {
  return { ...recordOf(specialistsTable, row), ...specialistRecord(row) };
}
