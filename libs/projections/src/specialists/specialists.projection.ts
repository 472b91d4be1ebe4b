import { jsonText, type RecordedEvent } from '#lib/kernel';
import type { ArbiterRegistered, ProposerRegistered, SpecialistEvent } from '#lib/specialist';
import { storedTime } from '../row/stored-time.js';
import type { Handlers, Projection } from '../runner/projection.js';
import { insertRowOnce } from '../store/insert-row.js';
import { statement } from '../store/statement.js';
import { specialistsTable } from './specialists.table.js';

const addSpecialist = insertRowOnce(specialistsTable);

const setEnabled = statement<{ specialistId: string; enabled: number; disabledPosition: string | null }>(
  (db, given) =>
    db
      .updateTable('specialists_v2')
      .set({ enabled: given.enabled, disabled_position: given.disabledPosition })
      .where('specialist_id', '=', given.specialistId),
);

const onSpecialist: Required<Handlers<SpecialistEvent>> = {
  ProposerRegistered: (event, specialistId) => [
    addSpecialist({
      ...registered(event, specialistId),
      role: 'proposer',
      is_human: event.data.isHuman ? 1 : 0,
      threshold: null,
    }),
  ],
  ArbiterRegistered: (event, specialistId) => [
    addSpecialist({
      ...registered(event, specialistId),
      role: 'arbiter',
      is_human: 0,
      threshold: event.data.threshold ?? null,
    }),
  ],
  SpecialistEnabled: (_event, specialistId) => [
    setEnabled({ specialistId, enabled: 1, disabledPosition: null }),
  ],
  SpecialistDisabled: ({ position }, specialistId) => [
    setEnabled({ specialistId, enabled: 0, disabledPosition: position }),
  ],
};

/** The hash of an actor token stays in the log: no list shows it, and who checks it folds the stream. */
function registered(
  { data, occurredAt, position }: RecordedEvent<ProposerRegistered | ArbiterRegistered>,
  specialistId: string,
) {
  const { machineName, execution } = data;
  return {
    specialist_id: specialistId,
    machine_name: machineName,
    execution: execution === undefined ? null : jsonText(execution),
    enabled: 1,
    disabled_position: null,
    registered_at: storedTime(occurredAt),
    position,
  };
}

/** Who takes part in which machine. */
export const specialistsProjection: Projection<'specialists'> = {
  name: 'specialists',
  version: 2,
  tables: [specialistsTable],
  on: { specialist: onSpecialist },
};
