import { jsonText, type RecordedEvent } from '#lib/kernel';
import type { ArbiterRegistered, ProposerRegistered, SpecialistEvent } from '#lib/specialist';
import { storedTime } from '../row/stored-time.js';
import type { Handlers, Projection } from '../runner/projection.js';
import { insertRow, insertRowOnce } from '../store/insert-row.js';
import { type Change, statement } from '../store/statement.js';
import { currentVersionsTable, specialistsTable, specialistVersionsTable } from './specialists.table.js';

type Key = { machine_name: string; specialist_id: string };

const addSpecialist = insertRowOnce(specialistsTable);
const addVersion = insertRow(specialistVersionsTable);
const addCurrentVersion = insertRow(currentVersionsTable);

const setCurrentVersion = statement<Key & { version: number }>((db, given) =>
  db
    .updateTable('specialists_v4')
    .set({ current_version: given.version })
    .where('machine_name', '=', given.machine_name)
    .where('specialist_id', '=', given.specialist_id),
);

const setStandsAlone = statement<Key>((db, given) =>
  db
    .updateTable('specialists_v4')
    .set({ stands_alone: 1 })
    .where('machine_name', '=', given.machine_name)
    .where('specialist_id', '=', given.specialist_id),
);

const setEnabled = statement<Key & { enabled: number; disabledPosition: string | null }>((db, given) =>
  db
    .updateTable('specialists_v4')
    .set({ enabled: given.enabled, disabled_position: given.disabledPosition })
    .where('machine_name', '=', given.machine_name)
    .where('specialist_id', '=', given.specialist_id),
);

const onSpecialist: Required<Handlers<SpecialistEvent>> = {
  ProposerRegistered: registered,
  ArbiterRegistered: registered,
  SpecialistRegisteredAgain: (event) => madeCurrent(event),
  SpecialistEnabled: ({ data }) => [setEnabled({ ...keyOf(data), enabled: 1, disabledPosition: null })],
  SpecialistDisabled: ({ data, position }) => [
    setEnabled({ ...keyOf(data), enabled: 0, disabledPosition: position }),
  ],
};

function registered(event: RecordedEvent<ProposerRegistered | ArbiterRegistered>): Change[] {
  const { data, occurredAt, position } = event;
  const key = keyOf(data);
  return [
    addSpecialist({
      ...key,
      current_version: data.version,
      stands_alone: 0,
      enabled: 1,
      disabled_position: null,
      position,
    }),
    addVersion({
      ...key,
      version: data.version,
      ...bodyOf(event),
      execution: data.execution === undefined ? null : jsonText(data.execution),
      registered_at: storedTime(occurredAt),
    }),
    ...madeCurrent(event),
    // Registered disabled: it was never asked, so only an operator enables it.
    ...(data.disabled ? [setEnabled({ ...key, enabled: 0, disabledPosition: null })] : []),
  ];
}

function bodyOf({ type, data }: ProposerRegistered | ArbiterRegistered) {
  if (type === 'ArbiterRegistered')
    return {
      role: 'arbiter',
      is_human: 0,
      person_id: null,
      threshold: data.threshold ?? null,
      trust: data.trust ? jsonText(data.trust) : null,
    };
  return {
    role: 'proposer',
    is_human: data.isHuman ? 1 : 0,
    person_id: data.personId ?? null,
    threshold: null,
    trust: null,
  };
}

function madeCurrent({
  data,
  position,
}: RecordedEvent<Extract<SpecialistEvent, { data: { version: number } }>>) {
  const key = keyOf(data);
  return [
    addCurrentVersion({ ...key, position, version: data.version }),
    setCurrentVersion({ ...key, version: data.version }),
    ...(data.declared ? [] : [setStandsAlone(key)]),
  ];
}

function keyOf({ machineName, specialistId }: { machineName: string; specialistId: string }): Key {
  return { machine_name: machineName, specialist_id: specialistId };
}

/** The specialists of each machine, in all versions. */
export const specialistsProjection: Projection<'specialists'> = {
  name: 'specialists',
  version: 4,
  tables: [specialistsTable, specialistVersionsTable, currentVersionsTable],
  on: { specialist: onSpecialist },
};
