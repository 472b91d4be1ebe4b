import type { RecordedEvent } from '#lib/kernel';
import type { TrustPolicy } from '#lib/decisions/machines';
import type {
  ArbiterRegistered,
  ProposerExecution,
  ProposerRegistered,
  SpecialistEvent,
} from '#lib/decisions/specialists';
import type { Handlers, Projection } from '../runner/projection.js';
import { flag, hidden, json, optional, time, word } from '../store/columns.js';
import { insertRow, insertRowOnce, updateRow } from '../store/row-changes.js';
import type { Change } from '../store/statement.js';
import { table } from '../store/table.js';

/** A specialist of a machine. */
export const specialistsTable = table(
  'specialists_v4',
  {
    machine_name: 'text',
    specialist_id: 'text',
    /** The version that was registered last. */
    current_version: hidden('integer'),
    /** Registered with an operation, and not only declared by machines. */
    stands_alone: flag,
    enabled: flag,
    /** The position of the last disabling; absent while enabled, and if it was registered disabled. */
    disabled_position: 'text?',
    /** The position of the first registration: the order in which the specialists of a machine are asked. */
    position: hidden('text'),
  },
  ['machine_name', 'specialist_id'],
  [['specialist_id'], ['machine_name', 'position']],
);

/** The versions of each specialist. */
export const specialistVersionsTable = table(
  'specialist_versions_v4',
  {
    machine_name: 'text',
    specialist_id: 'text',
    version: 'integer',
    role: word<'proposer' | 'arbiter'>(),
    is_human: flag,
    person_id: 'text?',
    execution: optional(json<ProposerExecution>()),
    threshold: 'double precision?',
    trust: optional(json<TrustPolicy>()),
    registered_at: time,
  },
  ['machine_name', 'specialist_id', 'version'],
);

/** From which position on which version was the current one. */
const currentVersionsTable = table(
  'specialist_current_versions_v4',
  { machine_name: 'text', specialist_id: 'text', position: 'text', version: 'integer' },
  ['machine_name', 'specialist_id', 'position'],
);

const KEY = ['machine_name', 'specialist_id'] as const;

const addSpecialist = insertRowOnce(specialistsTable);
const addVersion = insertRow(specialistVersionsTable);
const addCurrentVersion = insertRow(currentVersionsTable);
const setCurrentVersion = updateRow(specialistsTable, KEY, ['current_version']);
const setStandsAlone = updateRow(specialistsTable, KEY, ['stands_alone']);
const setEnabled = updateRow(specialistsTable, KEY, ['enabled', 'disabled_position']);

const onSpecialist: Required<Handlers<SpecialistEvent>> = {
  ProposerRegistered: registered,
  ArbiterRegistered: registered,
  SpecialistRegisteredAgain: madeCurrent,
  SpecialistEnabled: ({ data }) => [setEnabled({ ...data, enabled: true })],
  SpecialistDisabled: ({ data, position }) => [
    setEnabled({ ...data, enabled: false, disabledPosition: position }),
  ],
};

function registered(event: RecordedEvent<ProposerRegistered | ArbiterRegistered>): Change[] {
  const { type, data, occurredAt: registeredAt, position } = event;
  const { version: currentVersion } = data;
  const version =
    type === 'ArbiterRegistered'
      ? { ...data, role: 'arbiter' as const, isHuman: false }
      : { ...data, role: 'proposer' as const, isHuman: data.isHuman };
  return [
    addSpecialist({ ...data, currentVersion, standsAlone: false, enabled: true, position }),
    addVersion({ ...version, registeredAt }),
    ...madeCurrent(event),
    // Registered disabled: it was never asked, so only an operator enables it.
    ...(data.disabled ? [setEnabled({ ...data, enabled: false })] : []),
  ];
}

function madeCurrent({
  data,
  position,
}: RecordedEvent<Extract<SpecialistEvent, { data: { version: number } }>>): Change[] {
  const { machineName, specialistId, version, declared } = data;
  const key = { machineName, specialistId };
  return [
    addCurrentVersion({ ...key, position, version }),
    setCurrentVersion({ ...key, currentVersion: version }),
    ...(declared ? [] : [setStandsAlone({ ...key, standsAlone: true })]),
  ];
}

export const specialistTables = [specialistsTable, specialistVersionsTable, currentVersionsTable] as const;

/** The specialists of each machine, in all versions. */
export const specialistsProjection: Projection<'specialists'> = {
  name: 'specialists',
  version: 4,
  tables: specialistTables,
  on: { specialist: onSpecialist },
};
